"""The objects that users create, their rows and privileges, and the units of work that change them.

    definitions, registry      the objects that exist
    ddl, statements            reading data definition (ddl.lark)
    define, carry_out          carrying it out: create, tables, views, alter, drop, grants, routines
    storage, dml, constraints  rows in DuckDB, and the constraints on them
    undo                       rollback of a unit of work
    privileges                 checks of users' privileges
    names, registers           meaning of names and special registers
    reader, runner             running compiled statements
    catalog, reflection        catalog views of user objects
    builtin, scheduler, faults procedures of the system, and the controls of schema STANDIN

Other sessions see changes at once, before the commit, and no session waits for a lock.
"""
