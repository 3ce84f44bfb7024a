"""Solved end games; `python -m engine.arena.end_games` writes this file."""

PACKED = (
    "{Wp48S^xk9=GL@E0stWa8~^|S5YJf5;0E;qB3%GC8_KJQ%r{;6<JyfkFgA|_{sSGXKK|(w-h2ypKIu0H%N0vvMt0QTdaU>)hmZH5G2wk{p~TYB"
    "lC8(qD|8I1%5+Ejn~l%@3oVzzU_D&ZHvcrSviI8Y=Cx5{v<bL5Nhhoxtvh?vue_NeVu5%!XLRBiZF7x?xf*hQIIDcscd~JAk<G3~9c6{01D+BU"
    "nl2hXMclCy{s1CQI;pG1TG+Tl_YhT}kAJ>Ox9W;kN?ZFx8JPV)_@gtK!H2UmR6^TKLK$)1;ElR&rq_RERud6@3X`Ea&;Xx7;UK&F2hG{onON``"
    "o`^cu(@k%jU<b1dPlk>u0k8VVdhq?Xd?oT|$`iAV)NPpj0owSH`f6Ac0yEf>eY(v*{uVcUmxDX^`e^nYu#!>XzEq`cqYTA;etSIqjq*475r)v7"
    "tka@ZtD+S^D^rP*u;6_iImfv_i5bdTiw*SE>%7h-1QX7Z1$}6UVQ}U>dOmd!r;XMlq<jy@NS>^v&95<!D0>4{ni21r>w-a9cOWrv^83s!p5n=*"
    "rU@CyE}yxdw^+*%U`0{4rsOu7bWjs23$p-s7$isI^PKY#NlQ1ORCFa()!`xMX{I5pZOCIqldeT-@Rr8t0leErWy2A_+inIa%K}m-f%-8HdGul}"
    "(_OuRZY;W3dkT|}<R%i6*N)-kR?b}_KGCUN&r{2YHo!VIVv<e6hEz^YDCW@NQUCw|uAmP~9Cuqo00F)P_6-04FxtSqvBYQl0ssI200dcD"
)
