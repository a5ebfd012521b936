
# What follows stands in completions/colons.bash; what is above, ipctl generates of itself.

# Bash takes a colon for the end of a word, and IPv6 addresses are full of them. The words are put together again before
# one is completed; and of what is found, only what follows the last colon is handed to bash, which replaces no more.
_ipctl_with_colons() {
    local -a words=()
    local -i number=0 index=0 cursor=0
    local rest=${COMP_LINE} word='' blanks='' before='' begun=''
    for ((index = 0; index < ${#COMP_WORDS[@]}; index++)); do
        word=${COMP_WORDS[index]}
        blanks=${rest%%[![:blank:]]*}
        rest=${rest#"${blanks}"}
        cursor=$((COMP_POINT - (${#COMP_LINE} - ${#rest})))
        rest=${rest#"${word}"}
        before=
        if [[ -z ${blanks} && ${index} -gt 0 && (${word} == :* || ${COMP_WORDS[index - 1]} == *:) ]]; then
            before=${words[${#words[@]} - 1]}
            words[${#words[@]} - 1]+=${word}
        else
            words+=("${word}")
        fi
        if ((index == COMP_CWORD)); then
            number=${#words[@]}-1
            ((cursor < 0)) && cursor=0
            begun=${before}${word:0:cursor}
        fi
    done

    local -a COMP_WORDS=("${words[@]}")
    local -i COMP_CWORD=${number}
    _ipctl "${1}" "${begun}" "${words[number - 1]}"

    if [[ ${begun} == *:* && ${COMP_WORDBREAKS} == *:* ]]; then
        COMPREPLY=("${COMPREPLY[@]#"${begun%"${begun##*:}"}"}")
    elif [[ -e ${COMPREPLY[0]/#~\//${HOME}/} ]]; then
        # Folders get their slash. It cannot be asked for outside of a completion, as in a test.
        compopt -o filenames 2>/dev/null
    fi
}
# Not -o filenames for all, which would put a backslash before each colon.
complete -F _ipctl_with_colons ipctl
