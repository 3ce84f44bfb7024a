"""Solved end games; `python -m engine.arena.end_games` writes this file."""

PACKED = (
    "{Wp48S^xk9=GL@E0stWa8~^|S5YJf5;0TZcmt6oi8_KJQ%r{;6<Jx!6TK3x~y^Ob|3k?T#uo2=$XY$6lbxDw*r(C;rbSiJ`Lh?j|q!YSt3h7#!"
    "!p5~t&i15w5Fuf9*+{PF_PkRXzwYR4?uME7O;K<XA)y~lhOT?N^%hFwa-uFYmc3scNDA<dkyDbT!zrIJi!F!IoV;gEA6><`l?*+L8F{sQb|pL^"
    "0&JpgDq`5<<`K6kbP(45+y_8?j3LYo_R)b_dGntv8KUsaS3kD9eSh`U-jpns<G#F%N2kTXYdxKNkN<(V3A(jNOXE^wgtd|q1j_{w_e6`n_>Vm8"
    "5AdrnBl8gKyXf2bZ)o9vn6XZf&Cy#2k1I&ZqqQ@0UecUEiwN~4eZ{$QsK6Jx;BCCzC@U4d%U04B6+Bi!EUQ!)JQ*Ll4>?Kc+Ql9WEtJJh=yY`z"
    "P#1<5IXg%Z=?Kg@1U>MrIrS6fUsR(6Sz1-|ETZhQSb~st9M%~EOOJ=pOyB}aLfMfWO=&gWFiHE2(!+}pNE^Azhu#Booq@j&(`$sB*C^R$P!9eR"
    "j1BEqwn|c6ik?O`d5WO=4|Q!mF~ye->Xyam*ONi=2X_Al7Aq50cv=r>M5j?2HLlYXTj^?6uW|EuP_kD9JZ+p>%Q>mlq9&iWgA*GF1%QW(!@PL8"
    "6V>r5EEerPuPhHp#i^Ve1`?5_HTo$dEv_4Uxp|2ycD8x>lZ^A4)fn2{nZNGozJQ$Jf?6x2SN0EA%hJ@tSgu~J)Vz941UInJ7Xqt2@@5j1Z7*Zy"
    "p;It^!6Nxv>{z@<{NNb(n1iK7&O|+rhC_%YBF*gU7>XETe2Y64JUrvekLoy8N9dUjNi<foZQ=!Z5`1V24P6lEjdS#U%YgK8{Qv*}TZXgbl-g_q"
    "00FZFkr4m@@OAT#vBYQl0ssI200dcD"
)
