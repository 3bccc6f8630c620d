"""The objects that users create, their rows and privileges, and the units of work that change them.

    definitions, registry      the objects that exist
    ddl, statements            reading data definition (ddl.lark), and who carries it out
    define                     carrying it out: create, tables, views, alter, drop, grants, routines
    storage, dml, constraints  rows in DuckDB, and the constraints on them
    units_of_work              their rollback, and the locks between them
    privileges                 checks of users' privileges
    names, registers           meaning of names and special registers
    runner                     running compiled statements
    catalog, reflection        catalog views of user objects
    builtin, scheduler         procedures of the system, and those of schema STANDIN
    controls                   what schema STANDIN steers, and what tests count

Other sessions see changes at once, before the commit, and no session waits for a lock.
"""
