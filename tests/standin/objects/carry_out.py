"""From a statement of data definition to what carries it out."""

from collections.abc import Callable
from typing import Any

from tests.standin.objects import statements as st
from tests.standin.objects.alter import alter_table, comment, rename, truncate
from tests.standin.objects.create import (
    alter_sequence,
    create_alias,
    create_index,
    create_role,
    create_schema,
    create_sequence,
    create_variable,
    create_view,
)
from tests.standin.objects.define import Definer
from tests.standin.objects.drop import drop
from tests.standin.objects.grants import grant
from tests.standin.objects.tables import create_table

CARRY_OUT: dict[type, Callable[[Definer, Any], None]] = {
    st.CreateTable: create_table,
    st.CreateIndex: create_index,
    st.CreateView: create_view,
    st.CreateVariable: create_variable,
    st.CreateSequence: create_sequence,
    st.AlterSequence: alter_sequence,
    st.CreateAlias: create_alias,
    st.CreateSchema: create_schema,
    st.CreateRole: create_role,
    st.Drop: drop,
    st.AlterTable: alter_table,
    st.Truncate: truncate,
    st.Rename: rename,
    st.Comment: comment,
    st.GrantOrRevoke: grant,
}
