"""Solved end games; `python -m engine.arena.end_games` writes this file."""

PACKED = (
    "{Wp48S^xk9=GL@E0stWa8~^|S5YJf5;1yj1ja>jY8_KJQ%r{;6*&LiH?67<k>j*I+n~1KhcDe!~4Zmv<SscRV>e*R@=UM$8SbyU4YEap*H`Na)"
    "V_tj&y`v8OCyzzbfJS92E3M+$0r_7&WlRo4`@az848GDdl^j9(2IPlGdn$kJV6TP4ys($n^z-p82=p<fR}tf4k8k(#4x5c-9psE0YtEGf5~;3I"
    "Q;k8kp~#UD!K)Xvsuk3q#>)tEpvc3ScF6n_5%X|3rhs1CF*DPbLfn4F_B^b1s*-{fFLNJ3)zD0s@bCR!hhZ7uwVaxVjo=6QaI35Dk_UU}BRxtI"
    "9+~5Yjt3C6-8!!!^VVx_p?=34SvnceWM|)C&$&=n;#5KD;m_?;C(P<UKq^+>sg419nlaZ_MzgI+Jq$hncpQSDk=vYS(;uUgcC<lbu;0CVz?_t|"
    "TvG>guKIuJpnR^w&tgtj?+^wx7uM9rPXMnzDt!C1tvy}q4gYN05zz?cM;~?qD;fEZmnWOoyO?_<xfu`lu{zHNG-ZOGuNSguk9&*BXBy=mqzoxT"
    "M;lo2KSK?}Aap$4;P0O3Ue&@nI0GgqK!>GSH3X*DTy7GZo9Or1J8w&7hGyr^e!2m(%te41EvcBOJA^xP;>KTq&DkPy0VX?k@t!qCoVXtUb9eEK"
    "L@euMY>S$F{xjRWOuF#X=B%4W_ujRf!dG_5wQA^vY*1W;nM?42?VnYbtf=QirGhR3C_{;cvQOj!JVs?({b1Ar!Mab4=o`)j@AKIh+E{FVC^cG2"
    "UD&G2-Aq%4jnhmPDgN=H?tNqb;-Q+JnaR3w2O4m776_iJ<G%;wMpo2qy+tbtDp5H!>AAm?R`3^J@1<2e)@G)kiY@(2-S@g~u11Q_w*PN*@^)cE"
    "%mO|I;nNPvr@Qde!2z#6-wG`mM6Tq=4=CcZ6G@X~lGO;Jcuk7(VaJQP@bSr&v?o8twq#3)`zF0#*b3_<#Ar4e1smXdfP)t_4WF(UqI2^WN9B(1"
    "ax%!-B^@n*T1#4VCD?jBX@*eH&aqP7zDPAFn~Nuq)^|=()*}rX=~5q^P*>K+!U?^tkcV0(iLRrnmz@FAguzuj4PvyhPSnV#qB2q!(r#=>YycH_"
    "m)kON5hgeeh^?Fv;$?^qMNZD89OGE87S0qUzfj0SyXWwex{h0F@UG}h=m^zB;=z+Or-+-vm9c;T00000MrV{4S@9S_00F57-YNh9cSSe6vBYQl"
    "0ssI200dcD"
)
