"""A database server in a container, for tests and developers: Db2 itself, or an image of the stand-in.

kinds           the differences between the two images
engine          the Docker engine: its availability, left-overs of killed runs
harness         one container from start to removal
guard           removes the container of a process that died without doing so
login           connection data, and a CONNECT of bounded time
standin_image   builds the image of the stand-in, without a registry
sample          tables with some load for an empty database
first.yml       the first contact: tags, modes and steps
contact         runs its steps, and writes a table and an archive
clp             the command line processor of a server
__main__        up, down, status, test, first
"""
