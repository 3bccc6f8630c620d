"""Text that logs, mails, playbooks and web pages put around a report's lines."""

import json

import pytest

from advisor.imports.framing import unframed
from tests.imports.reading import reading

REPORT = [
    "       Database Configuration for Database QUARRY",
    "",
    " Database configuration release level                    = 0x1500",
    " Log file size (4KB)                         (LOGFILSIZ) = 1000",
    "-----",
    "Bufferpools:",
    "2026-03-04-10.00.00.000000   12",
    "0x00007F00   4     2 - x",
]


@pytest.mark.parametrize(
    "prefix",
    [
        "2026-03-04 10:00:00,123 INFO ",
        "2026-03-04 10:00:00.123 [main] INFO org.stone.Runner - ",
        "[2026-03-04 10:00:00] ",
        "[2026-03-04T10:00:00+01:00] [WARN] ",
        "2026-03-04T10:00:00.123456789Z ",
        "2026-03-04T10:00:00.123456789Z stdout F ",
        "2026-03-04 10:00:00 | ",
        "10:00:01 DEBUG ",
        "[INFO] ",
        "INFO: ",
        "INFO - ",
        "DEBUG:main:",
        "INFO:stone.runner:>>",
        "Mar  4 10:00:00 flint db2cfg[123]: ",
        "> ",
        "> > ",
        "cfg.txt:",
        "server1/db.cfg.txt-",
        "out/report.log:17:",
        "# ",
    ],
)
def test_a_prefix_goes_and_the_columns_stay(prefix):
    assert unframed(["Hello,", *(prefix + line for line in REPORT), "Bye"]) == ["Hello,", *REPORT, "Bye"]


def test_strings_of_a_playbook():
    lines = ['    "stdout_lines": [', *(f"        {json.dumps(line)}," for line in [*REPORT, 'a "b"\tc']), "    ]"]
    assert unframed(lines) == [lines[0], *REPORT, 'a "b"\tc', lines[-1]]


def test_string_of_many_lines_in_json_becomes_its_lines():
    document = json.dumps({"rc": 0, "stdout": "\n".join(REPORT), "stderr": ""})
    assert unframed([document])[1:-1] == REPORT
    assert unframed(['{"path": "C:\\\\new", "said": "a\\nb"}']) == ['{"path": "C:\\\\new", "said": "a\\nb"}']


def test_markdown_table_becomes_values_between_tabs():
    table = ["| TBSP_NAME | TBSP_STATE |", "|---|:--|", "| GRAVEL | NORMAL |", "| SAND | OFFLINE |"]
    rows = ["TBSP_NAME\tTBSP_STATE", "GRAVEL\tNORMAL", "SAND\tOFFLINE"]
    assert unframed(["Our table spaces:", *table, "Regards"]) == ["Our table spaces:", *rows, "Regards"]
    grid = ["+-----------+--------+", *table[:1], "+===========+========+", *table[2:], "+-----------+--------+"]
    assert unframed(grid) == rows


def test_characters_of_mail_programs_and_terminals_become_plain():
    assert unframed(
        ["State = 0x\u201900000000\u2019 \u2013 \u201cNORMAL\u201d", "\x1b[1;32mActive\x1b[0m\u00a0= 1"]
    ) == ["State = 0x'00000000' - \"NORMAL\"", "Active = 1"]
    assert unframed(["Rows read\u00a0= 1\u00a0234\u00a0567"]) == ["Rows read = 1\u00a0234\u00a0567"]


def test_commands_in_comments_stay_comments():
    lines = [
        "# db2 update db cfg using logfilsiz 1",
        "# alter tablespace x prefetchsize 1",
        "# Connect to SHOP",
        "# and so on",
    ]
    assert unframed(lines) == lines


def test_entities_of_a_page():
    assert unframed(["a &lt;b&gt; &amp;c", "R&D; &c"]) == ["a <b> &c", "R&D; &c"]


@pytest.mark.parametrize(
    "page",
    [
        "<pre><code>{}</code></pre>".format("\n".join(REPORT)),
        "<p>" + "</p>\n<p>".join(REPORT) + "</p>",
        "<br/>\n".join(REPORT),
        "<td>" + "<br>".join(REPORT) + "</td></tr>",
        '<div class="a">' + '</div><div class="a">'.join(REPORT) + "</div>",
        "<p>" + "</p><p>".join(line.replace(" ", "&nbsp;") for line in REPORT) + "</p>",
    ],
)
def test_tags_of_a_page(page):
    assert [line.rstrip() for line in unframed(page.split("\n"))] == REPORT


@pytest.mark.parametrize(
    "lines",
    [
        REPORT,
        ["2026-03-04 10:00:00 5 6", "2026-03-04 10:01:00 5 6", "2026-03-04 10:02:00 5 6"],  # a table, its first column
        ["2026-03-04-10.00.00.000000 INFO"] * 5,
        ['"A","B"', '"1","2"', '"3","4"', '"5","6"'],
        ["INFO: once", "and", "INFO: twice", "and"],
        ["10 INFO", "20 INFO", "30 INFO"],
    ],
)
def test_what_is_of_a_report_stays(lines):
    assert unframed(lines) == lines


def test_a_report_is_read_out_of_a_log():
    text = "Dear all,\n\n" + "".join(f"2026-03-04 10:00:00,1 INFO {line}\n" for line in REPORT[:4]) + "\nYours\n"
    (row,) = reading(text).rows["dbcfg"]
    assert (row["NAME"], row["VALUE"]) == ("logfilsiz", "1000")


def test_line_numbers_may_start_again():
    lines = [f" Parameter   ({name}) = {value}" for name, value in [("LOGPRIMARY", 3), ("LOGSECOND", 4)] * 2]
    numbered = [f"{number} {line}" for number, line in enumerate([*REPORT[:4], *lines], 1)]
    more = [f"{number} {line}" for number, line in enumerate([" Parameter (LOGBUFSZ) = 5", *lines], 1)]
    rows = reading("\n".join(numbered + more) + "\n").rows["dbcfg"]
    assert {row["NAME"]: row["VALUE"] for row in rows} == {
        "logfilsiz": "1000", "logprimary": "3", "logsecond": "4", "logbufsz": "5",
    }  # fmt: skip


@pytest.mark.parametrize("line", ["<p>{}</p>", "{}<br>", '<TR><TD CLASS="x">{}</TD></TR>', "<li><code>{}</code></li>"])
def test_tags_of_a_web_page(line):
    assert [text.rstrip() for text in unframed([line.format(text) for text in REPORT])] == [
        text.rstrip() for text in REPORT
    ]


def test_cells_of_a_web_page_stay_apart():
    assert unframed(["<tr><td>LOGS</td><td>5</td></tr>"]) == ["LOGS 5 "]


@pytest.mark.parametrize("text", ["SELECT A FROM T WHERE A <b and b> 3 </", "<<<db2_logsizes>>> </", "a </ <pages> b"])
def test_what_looks_like_a_tag_stays(text):
    assert unframed([text]) == [text]
