# Fails when an extension lacks one of our own functions: no_undefined.sh NM FILE
missing=$("$1" --undefined-only --demangle "$2" | sed 's/^ *[Uw] //' | grep 'oploom::') || exit 0
echo "not defined anywhere, but used by $2:" >&2
echo "$missing" >&2
rm -f "$2"
exit 1
