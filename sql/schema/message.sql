-- The messages of Db2 that report a problem, by code (an SQLCODE with its reason, ADM, DIA, or a symbol of a return
-- code): their kind (CLASS), cause (CAUSE) and first step (FIRST_STEP), and their number (PLACE): the most
-- specific one comes first. In FIRST_STEP, <database> and <table space> are replaced if the text names them.
CREATE TABLE TUNE.MESSAGE (
    CODE VARCHAR(40) NOT NULL,
    PLACE SMALLINT NOT NULL,
    CLASS VARCHAR(20) NOT NULL,
    CAUSE VARCHAR(200) NOT NULL,
    FIRST_STEP VARCHAR(500) NOT NULL,
    PRIMARY KEY (CODE)
)
