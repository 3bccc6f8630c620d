"""The objects that users create, their rows, who may use them, and the units of work that change them.

    definitions, registry      what there is
    ddl, statements            reading data definition (ddl.lark)
    define, carry_out          carrying it out: create, tables, views, alter, drop, grants, routines
    storage, dml, constraints  rows in DuckDB, and what they have to meet
    undo                       taking back what a unit of work did
    privileges                 who may do what
    names, registers           what names and special registers mean
    reader, runner             running compiled statements
    catalog, reflection        catalog views of user objects
    builtin, scheduler, faults procedures of the system, and the controls of schema STANDIN

Changes are seen by other sessions at once, before they are committed, and nobody waits for a lock.
"""
