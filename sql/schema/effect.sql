-- When a change takes effect, and how easy that makes the change (1 is easiest).
CREATE TABLE TUNE.EFFECT (
    EFFECT VARCHAR(2) NOT NULL,
    EASE DOUBLE NOT NULL,
    SHORT VARCHAR(16) NOT NULL,
    MEANING VARCHAR(200) NOT NULL,
    PRIMARY KEY (EFFECT)
)
