"""Solved end games; `python -m engine.arena.end_games` writes this file."""

PACKED = (
    "{Wp48S^xk9=GL@E0stWa8~^|S5YJf5;0Lh+V_g6@8_KJQ%r{;6<Jz}c>Y?H=q_51qd7dpTS7x4YD9d!9C*Kjv#YsH*g)2J1X&vXN(QD{>D56~p"
    "Ev~A100p=Ech}?a<~|S3s1!#ZeM4C*T+Qp8dfi^`EK(gSA&KcW>+mL((ekP#13i*s=MlN6a&m|2APApK{w<7@)xG~rPUX#-<1}Ls4^qBUpPoyD"
    "gYN*5J{W+?XpT+aiFSb!dKsslqzrQfsW8k%4&g^|!<Zi9PB8m!-hC|aYinO+(fRMKXs*TjY><?xI2a(r_#Ec^Dycfwp|9BY$h1+p(03WT+1o(|"
    "C+#S%!?Kri?~{R)^-N{q*gJ_QFD+9EowlI@#(n;%Em?Z**0+<OHf-`EFkgSw_gHv$zv>SMfElX*VmnEE1w~U-I+Oj0sBr}4rp=`1Tg-_1xM(gD"
    "$4(irIFY>;rn#3K=^ZyFi)<wrS3HrESO<c|Q$@GzEz=QQiN#v%VEO0+Pi2B@kH-~*^M|%0hr%&)*@Mstb4C=pN1wVaPRt$-bbWNpU1Tje9l1D_"
    "AE{?Ipy|SeH=fznt#<&HP>SReP8r^B-9?v1@hc#(p+RFukD6762e`jL<y6~rTk|P_IuE9=ZI_|f&66M(0;@`w3HEo@#~RRGKmhnhMs6tepMg<k"
    "*2pvtgFi@qf^EpviK6fBuod^oYUqK~shHe`(OSGAMA8zj8@SGtp4|dQ^30V9+g%)>@VOhZlijX}qoVrV9`b^2Xb(-4*VstYeZ0#U%w0-%=L{#k"
    "V>7B(JfFf8gohnca}o=6w`^iq7WYJ*jAj4;X<FB%gC$1p00I95vJU_N{TMcGvBYQl0ssI200dcD"
)
