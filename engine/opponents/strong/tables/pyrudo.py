"""Solved end games; `python -m engine.arena.end_games` writes this file."""

PACKED = (
    "{Wp48S^xk9=GL@E0stWa8~^|S5YJf5;0P=NZe0L38_KJQ%r{;6<Jw|c5}SDpU=K%MVDXP~j2GgxRe_;Wc222Ja>uv_u*K)$%-ypOebrrc7s!p}"
    "uzc-Z0}2+FbKSh>n=c#PAm?8S_KqY3eIY*E@@$*mILEvS=>DgAd$H2ptWRBKp+|}>S+lTupkE+f2l%UQ7nuwzBc>+qQ(j6hAa-%_z=P8CA?2tc"
    "_{kW>nM!~+#b^Ad&p@p~`>uva{v=lozJlB^6kw%M#YM#!bs!LdG}Ft0fy#v>e@;rvcwNU2;pVu~f?c{iNJt}=%zOzu5CaweI)wua1Uj|gJJ?C)"
    "^x{|O!{cX`jekxLZ8i@x$kfy@{&v}Pg|Ed+(B%j8SOk>;^WPA0&}P6daZq8r@Ll<(GV&EIcqnRpL}q*#wB4#0qOhvfclkQX20c623e2W{n4Vfz"
    "gln>I=r|IIU7WnQX%l|3HmPLKOrPjzF?MGz{Rhf_mJXH~mFdAZDKMQB8BiKNfw?QPBhb<JbjBi4HpdO;L}Bs#Gf;`&W9VTH%locusgwLcVs+gJ"
    "qHll4)^6IHT{wx&TA$Ln3O04C4r>uk9}{-;TfQD{|Apv^B6DGguh8{Ws3bkan)TjTa>bXADYtCg&QFv^iyET>^W)o&yD{aO>dePU-r51DQe_tb"
    "^n;TM<W$t-L@zZdZFO0dj<DHYT^WXi8+^H&GZzs-gp^)Tw<4huV$iGStWIrFB>kzziEr0nDFTv+;Kyp7j%B^4rQiYZnA+*cY7Sy;hB$yK=sL^3"
    "bkx>tXEsg9eU~InA{<*)na9;=4|KWU)W~&G<krD<h6*zdC;$Ke<iA{ouA}<v00D{xtq=eJyAHV*vBYQl0ssI200dcD"
)
