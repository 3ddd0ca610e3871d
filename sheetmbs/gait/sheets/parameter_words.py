"""Names of parameters, peaks and sources of uncertainty on the printed pages, in the languages of `report_words`."""

from __future__ import annotations

from collections.abc import Iterator

Words = tuple[str, str, str, str, str]

JOINTS: dict[str, Words] = {
    "hip": ("Hüfte", "hanche", "cadera", "quadril", "股関節"),
    "knee": ("Knie", "genou", "rodilla", "joelho", "膝関節"),
    "ankle": ("OSG", "cheville", "tobillo", "tornozelo", "足関節"),
}
PEAKS: dict[str, Words] = {
    "angle max": ("Winkel max", "angle max", "ángulo máx", "ângulo máx", "角度 最大"),
    "angle min": ("Winkel min", "angle min", "ángulo mín", "ângulo mín", "角度 最小"),
    "moment max": ("Moment max", "moment max", "momento máx", "momento máx", "モーメント 最大"),
    "moment min": ("Moment min", "moment min", "momento mín", "momento mín", "モーメント 最小"),
    "power max": ("Leistung max", "puissance max", "potencia máx", "potência máx", "パワー 最大"),
    "power min": ("Leistung min", "puissance min", "potencia mín", "potência mín", "パワー 最小"),
}
SOURCES: dict[str, Words] = {
    "marker placement": (
        "Markerplatzierung",
        "pose des marqueurs",
        "colocación marcadores",
        "posição dos marcadores",
        "マーカー位置",
    ),
    "joint centre": ("Gelenkmitte", "centre articulaire", "centro articular", "centro articular", "関節中心"),
    "skin": ("Haut", "peau", "piel", "pele", "皮膚"),
    "noise": ("Rauschen", "bruit", "ruido", "ruído", "ノイズ"),
    "plate point": ("Plattenlage", "position plateforme", "posición placa", "posição placa", "床反力計 位置"),
    "plate gain": ("Plattenverstärkung", "gain plateforme", "ganancia placa", "ganho placa", "床反力計 感度"),
    "delay": ("Verzug", "retard", "retardo", "atraso", "遅れ"),
    "mass": ("Masse", "masse", "masa", "massa", "体重"),
    "com": ("Schwerpunkt", "centre de masse", "centro de masa", "centro de massa", "重心"),
    "gyration": ("Trägheitsradius", "rayon de giration", "radio de giro", "raio de giração", "回転半径"),
    "cut-off": ("Grenzfrequenz", "fréquence coupure", "frecuencia de corte", "frequência de corte", "遮断周波数"),
}
PARAMETERS: dict[str, Words] = {
    "knee flexion at strike": (
        "Knieflexion bei Fersenkontakt",
        "genou, flexion au contact",
        "rodilla, flexión al contacto",
        "joelho, flexão no contato",
        "膝屈曲 接地時",
    ),
    "knee flexion, peak in stance": (
        "Knieflexion, Maximum im Stand",
        "genou, flexion max. en appui",
        "rodilla, flexión máx. en apoyo",
        "joelho, flexão máx. no apoio",
        "膝屈曲 立脚期最大",
    ),
    "knee flexion, minimum in stance": (
        "Knieflexion, Minimum im Stand",
        "genou, flexion min. en appui",
        "rodilla, flexión mín. en apoyo",
        "joelho, flexão mín. no apoio",
        "膝屈曲 立脚期最小",
    ),
    "knee flexion, peak in swing": (
        "Knieflexion, Maximum im Schwung",
        "genou, flexion max. en oscillation",
        "rodilla, flexión máx. en balanceo",
        "joelho, flexão máx. no balanço",
        "膝屈曲 遊脚期最大",
    ),
    "knee flexion, time of the peak in swing": (
        "Knieflexion, Zeit des Maximums",
        "genou, instant du max. d'oscillation",
        "rodilla, momento del máx. en balanceo",
        "joelho, instante do máx. no balanço",
        "膝屈曲 遊脚期最大の時期",
    ),
    "knee flexion, range": (
        "Knieflexion, Umfang",
        "genou, amplitude de flexion",
        "rodilla, rango de flexión",
        "joelho, amplitude de flexão",
        "膝屈曲 可動範囲",
    ),
    "ankle dorsiflexion at strike": (
        "Dorsalextension bei Fersenkontakt",
        "cheville, flexion dorsale au contact",
        "tobillo, dorsiflexión al contacto",
        "tornozelo, dorsiflexão no contato",
        "足背屈 接地時",
    ),
    "ankle dorsiflexion, peak in stance": (
        "Dorsalextension, Maximum im Stand",
        "cheville, flexion dorsale max. en appui",
        "tobillo, dorsiflexión máx. en apoyo",
        "tornozelo, dorsiflexão máx. no apoio",
        "足背屈 立脚期最大",
    ),
    "ankle plantarflexion, peak at toe off": (
        "Plantarflexion, Maximum beim Abstoß",
        "cheville, flexion plantaire max.",
        "tobillo, flexión plantar máx. al despegue",
        "tornozelo, flexão plantar máx. na saída",
        "足底屈 離地時最大",
    ),
    "hip extension, minimum of flexion": (
        "Hüftextension, Minimum der Flexion",
        "hanche, extension (flexion min.)",
        "cadera, extensión (flexión mín.)",
        "quadril, extensão (flexão mín.)",
        "股伸展 屈曲の最小",
    ),
    "hip flexion, peak": (
        "Hüftflexion, Maximum",
        "hanche, flexion max.",
        "cadera, flexión máx.",
        "quadril, flexão máx.",
        "股屈曲 最大",
    ),
    "hip flexion, range": (
        "Hüftflexion, Umfang",
        "hanche, amplitude de flexion",
        "cadera, rango de flexión",
        "quadril, amplitude de flexão",
        "股屈曲 可動範囲",
    ),
    "hip adduction, peak in stance": (
        "Hüftadduktion, Maximum im Stand",
        "hanche, adduction max. en appui",
        "cadera, aducción máx. en apoyo",
        "quadril, adução máx. no apoio",
        "股内転 立脚期最大",
    ),
    "pelvis tilt, mean": (
        "Beckenkippung, Mittel",
        "bassin, antéversion moyenne",
        "pelvis, inclinación media",
        "pelve, inclinação média",
        "骨盤前後傾 平均",
    ),
    "pelvis tilt, range": (
        "Beckenkippung, Umfang",
        "bassin, amplitude d'antéversion",
        "pelvis, rango de inclinación",
        "pelve, amplitude de inclinação",
        "骨盤前後傾 可動範囲",
    ),
    "pelvis obliquity, range": (
        "Beckenobliquität, Umfang",
        "bassin, amplitude d'obliquité",
        "pelvis, rango de oblicuidad",
        "pelve, amplitude de obliquidade",
        "骨盤側方傾斜 可動範囲",
    ),
    "pelvis rotation, range": (
        "Beckenrotation, Umfang",
        "bassin, amplitude de rotation",
        "pelvis, rango de rotación",
        "pelve, amplitude de rotação",
        "骨盤回旋 可動範囲",
    ),
    "foot progression, mean in stance": (
        "Fußwinkel, Mittel im Stand",
        "angle du pied, moyenne en appui",
        "progresión del pie, media en apoyo",
        "progressão do pé, média no apoio",
        "足部進行角 立脚期平均",
    ),
    "step width, heels across the way": (
        "Spurbreite (Fersen)",
        "largeur du pas (talons)",
        "anchura de paso (talones)",
        "largura do passo (calcanhares)",
        "歩隔 (踵)",
    ),
    "step length by height": (
        "Schrittlänge / Körpergröße",
        "longueur du pas / taille",
        "longitud de paso / estatura",
        "comprimento do passo / estatura",
        "ステップ長 / 身長",
    ),
    "walk ratio, step length by cadence": (
        "Schrittlänge / Kadenz",
        "longueur du pas / cadence",
        "longitud de paso / cadencia",
        "comprimento do passo / cadência",
        "歩行比",
    ),
    "speed by root of g leg length": (
        "Geschwindigkeit, normiert",
        "vitesse normalisée",
        "velocidad normalizada",
        "velocidade normalizada",
        "正規化速度",
    ),
    "symmetry index of step length": (
        "Symmetrieindex der Schrittlänge",
        "indice de symétrie, longueur du pas",
        "índice de simetría, longitud de paso",
        "índice de simetria, compr. do passo",
        "対称性指数 ステップ長",
    ),
    "symmetry index of stance": (
        "Symmetrieindex des Stands",
        "indice de symétrie, appui",
        "índice de simetría, apoyo",
        "índice de simetria, apoio",
        "対称性指数 立脚期",
    ),
    "hip angle, mean SD of strides": (
        "Hüftwinkel, mittlere SD",
        "angle de hanche, ET moyen",
        "ángulo de cadera, DE media",
        "ângulo do quadril, DP médio",
        "股関節角度 平均SD",
    ),
    "knee angle, mean SD of strides": (
        "Kniewinkel, mittlere SD",
        "angle du genou, ET moyen",
        "ángulo de rodilla, DE media",
        "ângulo do joelho, DP médio",
        "膝関節角度 平均SD",
    ),
    "ankle angle, mean SD of strides": (
        "Sprunggelenkswinkel, mittlere SD",
        "angle de cheville, ET moyen",
        "ángulo de tobillo, DE media",
        "ângulo do tornozelo, DP médio",
        "足関節角度 平均SD",
    ),
    "hip angle, CMC of strides": (
        "Hüftwinkel, CMC",
        "angle de hanche, CMC",
        "ángulo de cadera, CMC",
        "ângulo do quadril, CMC",
        "股関節角度 CMC",
    ),
    "knee angle, CMC of strides": (
        "Kniewinkel, CMC",
        "angle du genou, CMC",
        "ángulo de rodilla, CMC",
        "ângulo do joelho, CMC",
        "膝関節角度 CMC",
    ),
    "ankle angle, CMC of strides": (
        "Sprunggelenkswinkel, CMC",
        "angle de cheville, CMC",
        "ángulo de tobillo, CMC",
        "ângulo do tornozelo, CMC",
        "足関節角度 CMC",
    ),
}
PHASES = ("H1", "H2", "H3", "K1", "K2", "K3", "K4", "A1", "A2")
OF_PHASES: dict[str, Words] = {
    "power": ("Leistung", "puissance", "potencia", "potência", "パワー"),
    "work": ("Arbeit", "travail", "trabajo", "trabalho", "仕事"),
}


def _of_phases() -> Iterator[tuple[str, Words]]:
    """Names of the phases of power with what is said of each."""
    for phase in PHASES:
        for what, (german, french, spanish, portuguese, japanese) in OF_PHASES.items():
            yield (
                f"{phase} {what}",
                (
                    f"{phase} {german}",
                    f"{phase} {french}",
                    f"{phase} {spanish}",
                    f"{phase} {portuguese}",
                    f"{phase} {japanese}",
                ),
            )


PARAMETER_WORDS: dict[str, Words] = JOINTS | PEAKS | SOURCES | PARAMETERS | dict(_of_phases())
"""English -> German, French, Spanish, Portuguese, Japanese"""
