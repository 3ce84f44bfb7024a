"""Solved end games; `python -m engine.arena.end_games` writes this file."""

PACKED = (
    "{Wp48S^xk9=GL@E0stWa8~^|S5YJf5;1%-&$6Ww78_KJQ%r{;6*&Li83|*hMFe{7#djZXKr1GWXxm#1tGfYm;x$mqz7bW#+>UYfA-mCn7krf{1"
    "ybwr9mFGEmgSQK>@Fdhp7d5U6tPM`7BgP!emN3Pv{PXE<CyLvNb~FqvciL-fbp??ic-V7<)!@pN4P|dpAV*?)FjM*jKycW{0{RrKf9CCp5*%Ny"
    "pa7yviqiE7Yl1;*pMt639V0s9x5*E&y^ih2b5$2S#wO4J|M5sp4m*{NfVP>0En5rK*Gn3orqrZfe9pbGPVqXfhTArWPBp~EUf%GG_$@{~c>GOG"
    "u-x9x_Zo+s_NoKISHO#<TV<K3mh{bG84WRW)4md<Y9G6~pH;+hdM~k|DW(zKrDf%dpmvsNn!67G5EoMMjgf(>26RWJtrPtx8^WpR>g!YfO<J%p"
    "4>NVk17Gd1td_fr;+eWhTQ=ao>PP9<y?--<j$NgEo#Ww@wBlzU1o&Aj%rL)jhH^7YvZUc^5@>`#luj&sx99nJh~5swOK*PB<OE${VfO!@_oO|q"
    "%NH5%?dDk)??Y%N{-;VimKkXXJKcih{mI?()`Rt|?J%8b{>oH6d*Gv&<xAr?1%gD-x5tOzCX9RGI0+a?36l(2<B{l$4{lGD2P-&<&?2^|h9%L+"
    "OLtukp{I<Iq7M)Y7Ytv@Wcs*3v-uQ_6ibx+P~%w=^)q4moNLPQPwkfyy|8T^-UVHhe26@phc=h59Jp~a&%p%|1ZvD8^FFK>R1DpmGz6YqW9L#0"
    "f~s>x_VkW0+CTQi_DF4yt6W8OMSrK{7P$jl!TqZ+N{`cvT?+?~Ui1|lX(R40aviGrZl1=F>*XH1(1rN*Ly;3=!DJQ&e#JgwkP)`KZKXsraT`>m"
    "efJy%Qr4>=Z2>Qz&9LHOXV>=GlVN9-rLa5gT^9%AUS7i&`5b9>LV}J-+TWBgsYF>_&!G#ezaDY0q;Ny{s;@Dl)4&(1F9W1$apYD-Eu01HSJgA3"
    "E-#0Rb^i4Z15s!O2^y8L{z*q<4WSUJ4)>Gs>y<*>#)Y6QT^}6MmGSs6c~6XHS<O^mD9Au<#^5X)<ehlFuDw;z>F*HhxCF1=o`Iq``hW@5yj3{j"
    ")rtM!l=zW2l^x7K=N#2*^9%Q-R;B9zh;8RHR%vf$Pjss(vCkYi6eBPry_(|pQU&kB@=3$N5vvW$#H8S8G^5v0>5Ln0a`w?{LXINFd2Z_DV_@^G"
    "K8F1JEHw8LnBcJkFE~v-$@_PX^((T~KfDGh`~Uy|R^G~A)Cg$U00H9%^eX@W5J|b*vBYQl0ssI200dcD"
)
