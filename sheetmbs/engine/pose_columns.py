"""Named columns of `Work.pose`, a row per body, and of `Work.place`, a row per frame.

Three in a row are a vector: ``place[f, X + k]``. From P11 on, the row of a beam or of a section of one holds what stands in
`engine/bodies/beam_body.py` instead.
"""

# of a pose
R11, R12, R13, R21, R22, R23, R31, R32, R33 = range(9)  # rotation of the body, row by row
OX, OY, OZ = 9, 10, 11  # its origin
VX, VY, VZ = 12, 13, 14  # velocity of the origin
WX, WY, WZ = 15, 16, 17  # angular velocity
PHI = 18  # angle of a planar body, counted past a turn
P11, P12, P13, P21, P22, P23, P31, P32, P33 = range(19, 28)  # rotation of the principal axes, row by row
POSE_COLUMNS = 28

# of a place
SX, SY, SZ = 0, 1, 2  # offset from the origin of its body
X, Y, Z = 3, 4, 5  # position
XD, YD, ZD = 6, 7, 8  # velocity
XDD, YDD, ZDD = 9, 10, 11  # acceleration at zero v-dot
PLACE_COLUMNS = 12
