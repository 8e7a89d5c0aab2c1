# What a completion script ($1) completes by its function ($2) behind the words that follow, as a shell asks it at a tab.
source "$1"
function=$2
shift 2
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
"$function"
printf '%s\n' "${COMPREPLY[@]}"
