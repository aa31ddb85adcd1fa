# Name and score of every row of an aider YAML file, as CSV: awk -f rows.awk key=pass_rate_2 FILE
function row() { if (name != "") printf "\"%s\",%s\n", name, score; name = score = "" }
/^- dirname:/ { row() }
/^ *model: / { name = substr($0, index($0, ": ") + 2) }
$1 == key ":" { score = $2 }
END { row() }
