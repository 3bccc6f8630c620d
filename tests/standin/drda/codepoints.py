"""Code points of DDM and DRDA that the server reads or writes, and the constants that go with them."""

from enum import IntEnum


class Code(IntEnum):
    """A two-byte code point: what a command, a reply, a data object or a parameter is."""

    # Commands
    EXCSAT = 0x1041
    ACCSEC = 0x106D
    SECCHK = 0x106E
    SNDPKT = 0x1805
    ACCRDB = 0x2001
    INTRDBRQS = 0x2003
    CLSQRY = 0x2005
    CNTQRY = 0x2006
    DSCSQLSTT = 0x2008
    EXCSQLIMM = 0x200A
    EXCSQLSTT = 0x200B
    OPNQRY = 0x200C
    PRPSQLSTT = 0x200D
    RDBCMM = 0x200E
    RDBRLLBCK = 0x200F
    EXCSQLSET = 0x2014
    GOODBYE = 0xC004  # sent by the driver as its last word; gets no reply

    # Reply messages
    SECCHKRM = 0x1219
    PRCCNVRM = 0x1245
    CMDNSPRM = 0x1250
    ACCRDBRM = 0x2201
    QRYNOPRM = 0x2202
    OPNQRYRM = 0x2205
    ENDQRYRM = 0x220B
    ENDUOWRM = 0x220C
    RDBNFNRM = 0x2211
    OPNQFLRM = 0x2212
    RSLSETRM = 0x2219
    RDBAFLRM = 0x221A
    EXCSATRD = 0x1443  # these two are reply data by name, but travel as messages
    ACCSECRD = 0x14AC

    # Data objects
    FDODSC = 0x0010
    EXTDTA = 0x146C
    FDODTA = 0x147A
    PKTOBJ = 0x1C04
    SQLCARD = 0x2408
    SQLCINRD = 0x240B
    SQLRSLRD = 0x240E
    SQLDARD = 0x2411
    SQLDTA = 0x2412
    SQLDTARD = 0x2413
    SQLSTT = 0x2414
    QRYDSC = 0x241A
    QRYDTA = 0x241B

    # Parameters
    CODPNT = 0x000C
    TYPDEFNAM = 0x002F
    TYPDEFOVR = 0x0035
    PRDID = 0x112E
    PRCCNVCD = 0x113F
    SRVCLSNM = 0x1147
    SVRCOD = 0x1149
    SRVRLSLV = 0x115A
    EXTNAM = 0x115E
    SRVNAM = 0x116D
    CCSIDSBC = 0x119C
    CCSIDDBC = 0x119D
    CCSIDMBC = 0x119E
    USRID = 0x11A0
    PASSWORD = 0x11A1
    SECMEC = 0x11A2
    SECCHKCD = 0x11A4
    MGRLVLLS = 0x1404
    QRYPRCTYP = 0x2102
    RDBINTTKN = 0x2103
    RDBNAM = 0x2110
    PKGNAMCSN = 0x2113
    UOWDSP = 0x2115
    RTNSQLDA = 0x2116
    SQLCSRHLD = 0x211F
    PKGSNLST = 0x2139
    TYPSQLDA = 0x2146
    DYNDTAFMT = 0x214B
    QRYATTUPD = 0x2150
    QRYINSID = 0x215B
    LMTBLKPRC = 0x2417


class Severity(IntEnum):
    """SVRCOD of a reply message."""

    INFO = 0
    WARNING = 4
    ERROR = 8


TRUE = b"\xf1"
PRODUCT = "SQL12014"  # version 12, release 01, modification 4: the level that the driver sees
EBCDIC = "cp500"  # of strings before the connection is made
UTF8 = 1208  # CCSIDs
UTF16 = 1200
