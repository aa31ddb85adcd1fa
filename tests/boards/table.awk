# Name and rate of every row of the first table of a README, as CSV, without links and emphasis:
# awk -F'|' -f table.awk FILE
function text(cell) {
    gsub(/\*\*|^ +| +$/, "", cell)
    if (match(cell, /^\[[^]]*\]/)) cell = substr(cell, 2, RLENGTH - 2)
    return cell
}
!/^\|/ { inside = 0; next }
!inside { inside = 1; tables++; for (n = 2; n < NF; n++) if ($n == "Hallucination Rate") rate = n; next }
/^\|-/ || tables > 1 { next }
{ printf "\"%s\",\"%s\"\n", text($2), text($rate) }
