"""Synonyms: words of other programs, of textbooks and of other languages for columns, settings and values.

``?`` in a word stands for x, y and z in turn, in the column's name as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from sheetmbs.schema.names import fold

Words = Mapping[str, str]
"""what it is called here -> what it is called elsewhere, with ; between"""

NAME = "id; label; element; nombre; nom; nome; naam; bezeichnung"
TYPE = "kind; typ; tipo; art; class"
ENDS: Words = {
    "body_i": "body; body1; body a; i; part i; part1; i part; i body; from; parent; base; first body; action body; "
    "predecessor; link1; body from; cuerpo 1; körper 1; corps 1; inboard body; from body; body inner",
    "body_j": "body2; body b; j; part j; part2; j part; j body; to; child; follower; second body; reaction body; "
    "successor; link2; body to; cuerpo 2; körper 2; corps 2; outboard body; to body; body outer",
    "point": "location; position; marker; at; pt; place; joint point; origin; punkt; punto; connection point",
    "point_i": "marker i; i marker; point1; point a; marker1; location in parent; from marker",
    "point_j": "marker j; j marker; point2; point b; marker2; location in child; to marker",
    "xi_i": "x_i; xi1; x1", "eta_i": "y_i; eta1; y1", "zeta_i": "z_i; zeta1; z1",
    "xi_j": "x_j; xi2; x2", "eta_j": "y_j; eta2; y2", "zeta_j": "z_j; zeta2; z2",
    "axis_?": "direction ?; dir ?; u?; e?; ? axis; n?; a?",
}  # fmt: skip
LOADS: Words = {
    "f?": "force ?; ? force; load ?; f? n",
    "moment": "torque; m; mz; tz; t; couple; drehmoment; momento; par; torque z; moment z",
    "m?": "torque ?; t?; moment ?",
}
PLACE: Words = {
    "?": "?cm; ?cg; ?g; ?c; ?0; ?s; ? com; pos ?; ? position; com ?; cog ?; cg ?; ? global; r?; q?; ? initial",
}
RATES: Words = {
    "v?": "?dot; ? dot; ?d; vel ?; velocity ?; ? velocity; v?0; d?",
    "omega": "phidot; phi dot; thetadot; theta dot; w; wz; ω; angular velocity; omega z; ang vel; angvel; angular speed; "
    "w0; omega0; rpm; n; speed; winkelgeschwindigkeit; drehzahl; velocidad angular; vitesse angulaire; rate",
    "w?": "omega ?; ω ?; angular velocity ?; w ?",
}
ANGLE: Words = {
    "phi": "theta; angle; alpha; psi; φ; θ; ϕ; rotation; rot; orientation; yaw; phi0; theta0; rot z; rz; angle z; winkel; "
    "ángulo; angulo; angolo; orientation angle; attitude",
}
NOTES: Words = {
    "notes": "note; comment; comments; remark; remarks; description; source; bemerkung; kommentar; comentario; no.; nr; #",
}
COMMON: Words = {"active": "enabled; use; used; aktiv; on; activo; actif", **NOTES}
COLUMNS: Mapping[str, Words] = {
    "Settings": {
        "setting": "parameter; name; option; property; key; variable; einstellung; parámetro; paramètre; item; quantity",
        "value": "wert; valor; valeur; valore; val",
        "unit": "units; einheit; unidad; unité; unità",
        **NOTES,
    },
    "Bodies": {
        "name": f"body; part; link; bodies; {NAME}; körper; bauteil; cuerpo; corps; corpo; pieza; body name; part name",
        "mass": "m; weight; masse; masa; massa; gewicht; peso",
        "inertia": "i; j; iz; ig; ic; is; js; icm; igz; izz; jz; jzz; ixx; iyy; moi; moment of inertia; "
        "mass moment of inertia; inertia z; rotational inertia; trägheit; trägheitsmoment; massenträgheitsmoment; inercia; "
        "momento de inercia; inertie; moment d'inertie; inerzia",
        "ixx": "ix; jx; jxx; inertia x; inertia xx; i11", "iyy": "iy; jy; jyy; inertia y; inertia yy; i22",
        "izz": "iz; jz; jzz; inertia z; inertia zz; i33; inertia", "ixy": "jxy; i12; inertia xy; pxy",
        "ixz": "jxz; i13; inertia xz; izx; pxz", "iyz": "jyz; i23; inertia yz; izy; pyz",
        **PLACE, **ANGLE, "yaw": "psi; rot z; rz; angle z; heading; phi; ψ", "pitch": "theta; rot y; ry; angle y; θ",
        "roll": "rot x; rx; angle x; bank; φ", **RATES, **LOADS,
        "e0": "q0; p0; quat w; qw", "e1": "q1; p1; quat x; qx", "e2": "q2; p2; quat y; qy", "e3": "q3; p3; quat z; qz",
        "density": "rho; dichte; densidad; densité", "radius": "r; outer radius", "inner_radius": "ri; r i",
        "length": "l; länge; longitud; longueur", "width": "b", "height": "h", "shape": "geometry; form", **COMMON,
    },
    "Points": {
        "name": f"point; marker; hardpoint; hard point; {NAME}; punkt; punto",
        "body": "part; parent; on; link; körper; cuerpo; corps; on body",
        **PLACE, "frame": "reference; ref; coordinate system; cs; system; reference frame",
        "report": "output; plot; result; results; show", **COMMON,
    },
    "Joints": {
        "name": f"joint; constraint; {NAME}; gelenk", "type": f"{TYPE}; joint type; gelenktyp; constraint type", **ENDS,
        "length": "l; distance; d; rod length", "coordinate": "dof; coord; direction", "value": "val; position",
        "ratio": "gear ratio; transmission; i ratio; scale", "pitch": "lead; p", "radius": "r; pitch radius",
        "pressure_angle": "alpha; normal pressure angle; contact angle; eingriffswinkel",
        "helix_angle": "beta; spiral angle; schrägungswinkel",
        "joint_1": "joint1; joint a; first joint; input joint; j1", "joint_2": "joint b; second joint; output joint; j2",
        "friction": "mu; μ; mue; friction coefficient; coefficient of friction; mu static", **COMMON,
    },
    "Drivers": {
        "name": f"motion; driver; motor; actuator; {NAME}", "body": "part; link", "joint": "constraint; gelenk",
        "coordinate": "dof; axis; coord; direction; variable; type; freedom; quantity",
        "position": "displacement; angle; p; x0; phi0; offset; start; initial position; p0; s; theta",
        "velocity": "v; speed; rate; omega; rpm; n; geschwindigkeit; drehzahl; velocidad; vitesse; angular velocity; w",
        "acceleration": "a; alpha; accel; beschleunigung; aceleración",
        "expression": "function; formula; expr; f(t); motion; equation; fun; funktion; ausdruck; función; fonction; law",
        "curve": "spline; table; profile; data; kurve; curva", **COMMON,
    },
    "Forces": {
        "name": f"force; load; {NAME}", "body": "part; on; link; action body; körper", **LOADS,
        "point": "marker; location; at; point of application; application point; position",
        "frame": "reference; ref; coordinate system; cs; reference frame", "curve": "scale; profile; spline", **COMMON,
    },
    "Springs": {
        "name": f"spring; damper; {NAME}; feder", "type": TYPE, **ENDS,
        "k": "stiffness; rate; spring rate; spring constant; cf; constant; spring stiffness; stiff; steifigkeit; "
        "federsteifigkeit; federrate; rigidez; raideur; rigidezza; kt; k t",
        "c": "damping; d; b; damping coefficient; damper; dämpfung; amortiguamiento; amortissement; smorzamento; ct; c t",
        "length0": "l0; lo; free length; natural length; rest length; resting length; unstretched length; length; "
        "undeformed length; initial length; preload length; l free; länge; longueur; longitud",
        "angle0": "theta0; phi0; free angle; rest angle; natural angle; angle",
        "force": "preload; f0; actuator; f; pretension; prestress; vorspannung; precarga; actuator force; torque",
        "curve_k": "curve; spring curve; force curve; spline", "curve_c": "damper curve; damping curve",
        "p0": "pressure; p; fill pressure; charge pressure; initial pressure; gas pressure; preload pressure; fülldruck",
        "V0": "volume; v; gas volume; initial volume; chamber volume; volumen",
        "n": "exponent; polytropic exponent; kappa; gamma", "area": "piston area; effective area; rod area; a; kolbenfläche",
        "p_ambient": "ambient pressure; atmospheric pressure; patm",
        "k?": "stiffness ?; ? stiffness", "c?": "damping ?; ? damping", **COMMON,
    },
    "Charts": {
        "title": "name; chart; caption; heading; titel", "x": "horizontal; abscissa; x axis; x column",
        "y": "vertical; ordinate; series; y axis; columns; y columns; curves", "type": TYPE, **COMMON,
    },
    "Clearances": {
        "name": f"clearance; joint; {NAME}", **ENDS,
        "radius_i": "ri; rb; r1; bearing radius; bushing radius; outer radius", "law": "model; contact model; contact law",
        "radius_j": "rj; r2; journal radius; pin radius; inner radius",
        "restitution_i": "e; cor; restitution; coefficient of restitution; e i",
        "young_i": "young; modulus; e modulus; youngs modulus; ei", "poisson_i": "nu; poisson; nu i",
        "friction_i": "mu; friction; μ; mu i", "viscosity": "eta; dynamic viscosity", "length": "l; width; bearing length",
        **COMMON,
    },
    "Beams": {
        "name": f"beam; body; {NAME}; balken; viga; poutre", "length": "l; länge; longitud; longueur",
        "EI": "bending stiffness; flexural rigidity; flexural stiffness; e*i; biegesteifigkeit", "EA": "axial stiffness; e*a",
        "mass_per_length": "rho*a; rhoa; mu; m/l; linear density; mass per unit length; line density; mass density",
        "modes": "n; number of modes; n modes", "ends": "boundary; boundary conditions; bc; supports",
        "damping": "zeta; ξ; damping ratio; d", **PLACE, **ANGLE, **RATES, **COMMON,
    },
    "Guiding": {"time": "t; zeit; tiempo; temps; tempo; seconds; sec; s; clock"},
    "ForceSeries": {"time": "t; zeit; tiempo; temps; tempo; seconds; sec; s; clock"},
}  # fmt: skip
"""of the sheets; of two columns with the same word the first that the model has is meant"""

SETTINGS: Words = {
    "t_end": "end time; end; tf; t final; final time; stop time; t stop; stop; duration; simulation time; sim time; time; "
    "t; t max; t1; endzeit; simulationsdauer; tiempo final; temps final; run time; analysis time; to",
    "t_start": "start time; start; t0; begin; t begin; initial time; t initial; startzeit; from",
    "t_step": "time step; dt; delta t; output step; output interval; output time step; report step; reporting interval; "
    "sample time; sampling; increment; steps; number of steps; n steps; dt out; print step; zeitschritt; frames; rows; "
    "communication interval; step time; output step size; pas de temps; paso de tiempo; deltat; Δt",
    "max_step": "h max; maximum step; max time step; step max; max step size; internal max step size",
    "step": "step size; h; integrator step; integration step; fixed step; internal step; schrittweite; hmax; h init",
    "gravity_x": "gx; g x; igrav", "gravity_y": "gy; g y; jgrav", "gravity_z": "gz; g z; kgrav",
    "analysis": "type; analysis type; simulation type; task; simulation; study; run; problem; solution; berechnung; mode",
    "integrator": "solver; method; integration method; integration; ode solver; time integration; scheme; ode; "
    "solver type; algorithm; numerical method; dynamic solver; löser; integrator type",
    "formulation": "formalism; constraint method; index; stabilization; stabilisation; constraints; dae formulation; baumgarte",
    "rtol": "reltol; relative tolerance; relative error; error; accuracy; precision; eps; local error; integration error",
    "atol": "abstol; absolute tolerance; absolute error",
    "tolerance": "constraint tolerance; position tolerance; newton tolerance; residual; tolerances; newton error",
    "initial_conditions": "assembly; assemble; initial; ic; ics; start conditions; initial state; anfangsbedingungen",
    "dimension": "dim; dimensionality; space; model type; 2d; 3d; plane; planar; spatial",
    "title": "name; model; model name; project; titel; título; titre; heading; description",
    "format": "version; format version", "alpha": "alfa; baumgarte alpha", "beta": "baumgarte beta",
    "penalty": "penalty factor", "case": "variant; scenario; load case; configuration",
    "position_solver": "nonlinear solver; kinematic solver; root finder; position method; newton method",
    "guiding_spline": "spline; interpolation; spline type; spline ends",
    "spectral_radius": "rho; rho inf; rho infinity; numerical damping; dissipation; spectral radius at infinity",
}  # fmt: skip

VALUES: Words = {
    "dynamic": "dynamics; transient; forward dynamics; forward dynamic; forward; direct dynamics; simulation; dynamisch; "
    "dinámico; dynamique; dinamica; time domain; motion",
    "kinematic": "kinematics; kinematisch; kinematik; cinemática; cinématique; cinematica; position; motion analysis",
    "inverse dynamic": "inverse dynamics; inverse; id; kinetostatic; kinetostatics; inverse dynamik; dinámica inversa",
    "equilibrium": "static; statics; quasi static; static equilibrium; rest; trim; settle; gleichgewicht; statik; statisch; "
    "estático; statique; equilibrio; preload",
    "modes": "modal; eigenfrequencies; eigenfrequency; eigenvalue; eigenvalues; eigen; eigenmodes; eigenmode; frequency; "
    "frequencies; natural frequencies; natural frequency; vibration; linear; linearized; linearised; linearization; mode; "
    "normal modes; eigensolution; stability; modalanalyse; frequency domain",
    "spherical": "ball; ball joint; ball and socket; socket; kugelgelenk; kugel; rotule; rótula; atpoint; at point; point; "
    "s; bal; jsph; point on point; coincident; sfera; spheric; ball-in-socket",
    "revolute": "pin; hinge; pivot; rev; rotary; rotational; turning; rotation; bolt; axle; r; jrev; drehgelenk; pinned; "
    "articulation; bisagra; cerniera; scharnier; liaison pivot; ball; ball joint; knee; bearing; rotoid; revolution",
    "translational": "prismatic; slider; slide; sliding; linear; translation; trans; p; jtra; schubgelenk; glissière; "
    "glissiere; prismatico; rail; guide; linear guide; straight; corredera; piston",
    "translational ": "spring; damper; tsda; coil; tension; compression; elastic; actuator; spring damper; leaf; gas; shock; "
    "feder; dämpfer; axial",
    "fixed": "fix; weld; welded; rigid; clamp; clamped; lock; locked; glue; fest; encastre; fijo; bolted; jfix; ground",
    "distance": "rod; link; bar; rbar; coupler rod; massless rod; massless link; tie rod; strut; rigid bar; rigid link; "
    "distance constraint; spherical spherical; ss; connecting rod; two force member; constant distance; stab; pendulum rod; "
    "revolute revolute",
    "coordinate": "lock coordinate; hold; dof; simple constraint; coordinate constraint; user; jprim",
    "universal": "hooke; hookes; hooke's; cardan; u; u joint; ujoint; kardan; cross; gimbal; jhooke; cruceta",
    "cylindrical": "cylindric; cylinder; c; jcyl; cylindrical slider; bearing with slide; zylindrisch; sleeve; turn slide",
    "planar": "plane; e; flat; jplanar; ebenengelenk; three dof plane; slab",
    "point-on-plane": "in plane; inplane; jinp; point plane; plane contact; point in plane; sphere on plane",
    "spherical-cylindrical": "in line; inline; point on line; point-on-line; jinl; point on curve; sphere on line; slot; "
    "pin slot; pin in slot; ball in cylinder; point in slot; sphere in slot; spherical prismatic",
    "revolute-cylindrical": "revolute prismatic; cylindrical revolute",
    "parallel": "parallel axes; parallel axis; jparallel",
    "constant-velocity": "cv; homokinetic; convel; tripod; rzeppa; double cardan; constant velocity; gleichlaufgelenk",
    "screw": "helical; lead screw; leadscrew; ball screw; thread; helix; h; schraubgelenk; jscrew; nut",
    "wheel-on-road": "wheel on plane; rolling disc; disc on plane; tyre contact; tire; wheel; road contact; rad auf strasse",
    "gear": "gears; gearing; gearbox; coupler; coupled; belt; chain; pulley; worm; bevel; gear pair; zahnrad; engranaje; jgear",
    "rack-and-pinion": "rack; rackpin; rack pinion; pinion; zahnstange; steering rack; rolling; cremallera",
    "rotational": "torsional; torsion; torsion spring; rsda; rotary; rotation; torque; angular; rotational spring; moment; "
    "rotating; drehfeder; torsionsfeder",
    "bushing": "bush; field; rubber; elastomer; mount; 6dof; buchse; silentblock; gummilager",
    "gas": "gas spring; air spring; airspring; air; pneumatic; gas strut; hydropneumatic; gasfeder; luftfeder",
    "body": "local; relative; part; body fixed; moving; lprf; own; link; mobile",
    "global": "absolute; world; inertial; ground; fixed; initial; space; grf; earth",
    "angle": "theta; rotation; phi; rot; rz; alpha; r; q; turn; winkel; angular; revolute; rotational; psi; ángulo; θ; φ",
    "displacement": "translation; disp; s; x; d; position; slide; travel; stroke; linear; weg; translational; tz; z; y; q",
    "distance ": "length; l; d; dist; abstand",
    "phi": "theta; angle; rotation; rot; rz; alpha; phi z; psi; winkel; θ; φ; yaw; orientation",
    "rk4": "runge kutta; rk; runge kutta 4; classical runge kutta; euler; explicit euler; heun; fixed step; semiexpliciteuler",
    "kutta-merson": "merson; runge kutta merson; rkm; ode4merson",
    "dopri5": "ode45; rk45; rkf45; rkf; dop54; dormand prince; runge kutta fehlberg; fehlberg; cash karp; explicit; rkdp; "
    "rungekuttafeldberg; ode5; non stiff; nonstiff; rkckp; tsit5; variable step",
    "dop853": "dop; dop8; ode78; ode87; rk78; dormand prince 853",
    "rkv65": "verner; rk65; rkv; ode56",
    "abm": "adams; abam; adams bashforth; adams bashforth moulton; ode113; predictor corrector; adams moulton; multistep",
    "lsoda": "livermore; odeint; vode; lsode; zvode",
    "bdf": "gstiff; wstiff; si2; si2 gstiff; dassl; daspk; ida; cvode; sodasrt2; gear; dstiff; constant bdf; ode15s; "
    "backward differentiation; backward differences; dae; lsodi; mebdf; ndf; variable bdf",
    "radau": "radau5; radau iia; radauiia; stiff; implicit; ode23s; ode23t; rodas; implicit runge kutta; irk; sdirk",
    "generalized-alpha": "newmark; chung hulbert; generalised alpha; alpha; trapezoidal; genalpha; newmark beta; hilber",
    "hht": "hht alpha; hht i3; hilber hughes taylor; hhti3; alpha method",
    "auto": "automatic; default; standard; any; best",
    "lagrange": "lagrange multipliers; index 1; index1; i1; lagrange multiplier; dae; multipliers",
    "baumgarte": "baumgarte stabilization; baumgarte stabilisation; stabilized; stabilised; stabilization",
    "augmented-lagrangian": "augmented lagrange; penalty; augmented; alf; al",
    "projection": "projected; mass orthogonal projection; coordinate projection; ggl; index 2; index2; si2; si1; drift off",
    "coordinate-partitioning": "gcp; generalized coordinate partitioning; independent coordinates; reduced; minimal; ode",
    "index-3": "index3; i3; position level; dae 3",
    "correct": "yes; assemble; assembly; fix; on; true; project; adjust; solve; repair",
    "check": "verify; test; strict; error",
    "given": "no; off; exact; ignore; none; as given; as is; keep; false; user",
    "2D": "2; planar; plane; two; xy; x y; 2 dim; flat; eben; plano; plan; two dimensional",
    "3D": "3; spatial; space; three; xyz; 3 dim; spatial model; räumlich; espacial; spatiale; three dimensional",
    "natural": "free; second derivative 0; relaxed; standard",
    "not-a-knot": "notaknot; matlab; knot",
    "newton": "newton raphson; nr; gauss newton; full newton",
    "levenberg-marquardt": "lm; levenberg; marquardt; least squares; damped least squares",
    "dogleg": "powell; trust region; dog leg; hybrid; hybrd",
    "lankarani-nikravesh": "lankarani; nikravesh; ln; lankarani and nikravesh; l n",
    "hunt-crossley": "hunt; crossley; hc; hunt and crossley; herbert mcwhannell; nonlinear damping",
    "pinkus-sternlicht": "oil; hydrodynamic; lubricated; film; pinkus; sternlicht; oil film; reynolds; sommerfeld",
    "hertz": "hertzian; elastic; dry; undamped",
    "box": "brick; cuboid; block; plate; quader; caja; prism; rectangular", "sphere": "ball; kugel; esfera; sphère",
    "cylinder": "disc; disk; cylindrical; solid cylinder; shaft; wheel; zylinder; cilindro; roller; round",
    "tube": "pipe; hollow cylinder; ring; hollow; rohr; tubo; annulus", "rod ": "bar; link; stab; slender rod; thin rod; line",
    "clamped-free": "cantilever; clamped; free; fixed free; kragbalken", "pinned-pinned": "pinned; simply supported; hinged; "
    "simple; hinged hinged", "clamped-clamped": "fixed fixed; encastre; clamped clamped; built in",
    "linear": "piecewise; straight; lin; polyline", "cubic": "spline; smooth; akima; cubic spline; natural",
    "line": "time; time history; line chart; y(t)", "xy": "scatter; x y; xyplot; phase; xy chart; path",
    "yes": "ja; sí; si; oui; on; x; wahr; verdadero; vrai; vero; true; ok; sim; y; 1; ✓", "no": "nein; off; falsch; falso; "
    "faux; non; não; never; none; n; 0",
}  # fmt: skip
"""of all columns and settings that take a few words; only those that it may be are meant. A trailing blank parts equal words"""

CURVE_PARTS: Words = {
    "x": "t; time; deflection; displacement; velocity; angle; abscissa; s; zeit; weg; input; position; in; stroke; length; x1",
    "y": "force; f; value; moment; torque; m; ordinate; kraft; output; out; scale; factor; load; fx; y1; z",
}
"""what stands behind the point of a header on Curves"""

COLUMN_HINTS: Mapping[str, Words] = {
    "Points": {
        "body coordinates stand in x, y and z, with body in the column frame": "xi; eta; zeta; x local; y local; z local"
    },
    "Clearances": {"the clearance is radius_i less radius_j": "c; clearance; gap; play; spiel; radial clearance"},
    "Joints": {
        "a direction stands in axis_x, axis_y and axis_z": "axis; direction; axis vector; dir; vector; orientation",
        "a location is named in the column point, and stands on the sheet Points": "x; y; z; coordinates; px; py; pz",
    },
    "Springs": {
        "a location is named in point_i and point_j, and stands on the sheet Points": "x; y; z; coordinates; x1; y1; x2; y2",
    },
    "Forces": {
        "the components stand in fx, fy and fz, or moment": "magnitude; direction; force; value; angle; amount; load"
    },
    "Bodies": {"the tensor elements are about the centre of mass: ixx, iyy, izz": "inertia tensor; tensor; i tensor"},
}
"""of headers that stand for no single column"""

OTHER_SHEETS: Words = {
    "it is a row of the sheet Springs": "spring; damper; tsda; rsda; bushing; bush; spring damper; shock "
    "absorber; feder; coil; leaf; gas; shock; elastic; tension; compression",
    "a motor is a row of the sheet Drivers": "motor; driver; motion; actuator; drive; imposed motion",
    "it is a row of the sheet Clearances": "clearance; contact; journal; gap; journal bearing; impact",
    "it is a row of the sheet Beams": "beam; flexible; flexible beam",
    "it is a row of the sheet Forces": "force; load; moment; sforce; vforce",
}
"""of joints: what stands elsewhere"""
WITHOUT: Words = {
    "a body that is free needs no joint: remove the row": "free; 6dof; floating; none; no joint; freejoint; free body",
    "take a revolute and a translational joint with a light body between them": "slot; pin slot; pin in slot; roller; "
    "point on line; simple support; pin slider; half joint; inline; in line",
}
"""of joints: what needs none, or two"""

TOTALS_WORDS = (
    "total; totals; sum; sums; subtotal; grand total; total mass; sum of masses; all; average; mean; summe; gesamt; "
    "gesamtsumme; gesamtmasse; zwischensumme; insgesamt; mittelwert; suma; totales; somme; totaux; totale; somma; totaal"
)
"""how people call a row below a table that adds up its columns"""
UNITS_WORDS = (
    "einheit; einheiten; unidad; unidades; unité; unités; unità; unidade; eenheid; eenheden; enhet; jednostka; dim"
)
GROUND_WORDS = (
    "gnd; frame; world; base; fixed; earth; inertial; grf; fixed frame; boden; gestell; grund; umgebung; suelo; tierra; "
    "bastidor; sol; bâti; bati; terra; telaio; terre; 0; -1; space; reference; wall; grd; ground body; fix"
)
"""what other programs and languages call what does not move"""


@cache
def words(text: str) -> tuple[str, ...]:
    """The words of one of these texts with ``;`` between, in the form in which they are compared."""
    return tuple(squashed(word) for word in text.split(";"))


def squashed(text: str) -> str:
    """A word in the form in which synonyms are compared: folded, and without blanks."""
    return fold(text).replace(" ", "")


@cache
def inverted(table: str) -> Mapping[str, tuple[str, ...]]:
    """The possible meanings of each word, best first. table: name of a sheet, or ``settings`` or ``values``."""
    tables: Mapping[str, Words] = {"settings": SETTINGS, "values": VALUES, **COLUMNS}
    meanings: dict[str, list[str]] = {}
    for name, text in tables.get(table, {}).items():
        for letter in "xyz" if "?" in name else "?":
            for word in words(text.replace("?", letter)):
                meanings.setdefault(word, []).append(name.replace("?", letter).strip())
    return {word: tuple(dict.fromkeys(names)) for word, names in meanings.items()}
