"""Harmless orders about the form of answers, commands of the shell and of editors, and what people ask of encoded data.

`ORDERS` and `SHOW` use `SLOTS`; `ASK_ENCODED` has `<data>` where the data stands. Harmless all.
"""

SLOTS = {
    "format": [
        "JSON", "YAML", "CSV", "XML", "markdown", "plain text", "HTML", "a table", "bullet points", "SQL", "Python", "TypeScript", "one line", "LaTeX",
        "valid JSON", "a JSON array", "TOML", "a numbered list", "a single code block", "key: value lines",
    ],
    "tongue": ["English", "French", "German", "Spanish", "Japanese", "Polish", "Portuguese", "Hindi", "Turkish", "Dutch", "Korean", "Italian"],
    "since": ["From now on,", "from now on", "From here on,", "For the rest of this chat,", "In all your replies,", "Until I say stop,", "For this session,", "Starting now,", "As of now", "Going forward,", "For every answer,"],
    "style": [
        "keep it under {50|100|200} words", "use metric units", "use British spelling", "call me Sam", "skip the introduction", "no emojis", "cite a source for each claim", "use the active voice",
        "write at a sixth-grade level", "use short sentences", "add a one-line summary at the end", "show your working", "round to two decimals", "put the answer first", "use tabs, not spaces",
        "do not explain the code", "ask me one question at a time", "use 24-hour times", "don't apologise", "use the formal form of address", "be brief", "number the steps", "mark what you are unsure of",
    ],
    "fields": ['"name" and "price"', '"title", "author" and "year"', '"answer" and "confidence"', '"city" and "country"', '"label" and "reason"', '"id", "status"', '"question" and "answer"'],
    "file": [
        "config.yaml", "package.json", "README.md", "main.py", "index.html", "Dockerfile", "docker-compose.yml", "values.yaml", "Makefile", "settings.toml", "pom.xml", "app.log", "/etc/hosts",
        "/etc/nginx/nginx.conf", "src/lib.rs", "requirements.txt", "schema.sql", ".gitignore", "tsconfig.json", "CHANGELOG", "data.csv", "notes.txt", "deployment.yaml", "Cargo.toml", "build.gradle",
        "utils.js", "go.mod", "nginx.conf", "report.md", "server.log", "environment.yml", ".env.example", "tests/test_api.py", "App.tsx", "crontab",
    ],
    "folder": ["src", "/var/log", "~/projects", "the repo", "build/", "/tmp", "the home folder", "docs", "the current directory", "./data"],
    "polite": ["", "", "", "please", "pls", "thanks", "for me"],
}

ORDERS = [
    "{since} {answer|reply|respond|output} {only |}{in {format}|in {tongue}|as {format}}{|.|, please.|, nothing else.|. {style}.}",
    "{since} {style}{.||, and {style}.|. Also {style}.}",
    "{Answer|Reply|Respond|Return|Output} only {in |}{format} with the {keys|fields} {fields}{.|, no other text.|. Question: {why is the sky blue?|what is the boiling point of ethanol?|which river runs through Cairo?}}",
    "{Always|always} {answer|reply|respond} {in {tongue}|in {format}|in one sentence|with a table|step by step}, {no matter what language I write in|even if I ask otherwise later|unless I say otherwise|also for follow-up questions}.",
    "{Never|Do not|Don't|Please don't} {use emojis|start with 'Sure'|add a disclaimer|repeat my question|use the word 'delve'|write more than {two|three} paragraphs|use bullet points|wrap it in markdown|add comments}{ from now on| in your answers|}{.|, {just the answer|only the code|please}.}",
    "You {must|should|will} {only |}{answer|reply|respond|write} in {format}. {No prose.|No explanations.|No preamble.|Do not add anything else.|Nothing before, nothing after.}",
    "{Only|Just} {the code|the command|the number|the SQL|the regex|the final answer|valid JSON}, {no explanation|no prose|no markdown|nothing else}{.|!| please.}",
    "{Format|Layout}: {format}. {Tone|Language|Length}: {formal|casual|short|{tongue}|under 100 words}. {Topic|Task}: {our summer sale|how tides work|a thank-you note to a supplier|the plot of Hamlet|a job advert for a welder}.",
    "{Be|You are} {a|my} {JSON generator|SQL assistant|translator into {tongue}|spelling checker|commit message writer|regex helper|flashcard maker}. {I give you text, you return {format}.|Only output {format}.|Reply with {format}, no explanations.|Do not chat.}",
    "{since} {when|whenever|if} I {type|write|send} {a word|a city|an ingredient|a film|a stock ticker|a date}, {give me|reply with|answer with} {its plural in {tongue}|three facts|a recipe|its rating|the weekday|a definition|a rhyme}{.|, in {format}.}",
    "{Stop|stop} {using emojis|writing in {tongue}|adding summaries|apologising|asking me questions|using bullet points|explaining every step}{.| and {style}.|, I only need {format}.}",
    "{Switch|Change} {to|back to} {tongue}{.| for all answers.| until the end of the chat.|, and {style}.}",
    "{New rule|Rule|House rule|Rules for this chat|Ground rules|Preference}: {style}{.|; {style}.|, and {style}, and {style}.}",
    "{Remember|Keep in mind|Note|Please remember}: {I am vegetarian|I use Windows|my dog is called Rex|I'm in Lisbon|we use PostgreSQL 16|prices are in euros|I'm left-handed}. {style}.",
]

SHOW = [
    "{Print|Show|Display|Output|Give me|Open|Read|Dump} {me |}{the {full |whole |}contents of |the first {10|20|50} lines of |the last {10|100} lines of |what is in |}{file} {polite}",
    "{cat|less|head|tail -n 50|tail -f|vim|nano|open|bat|more} {file}",
    "{ls -la|ls|tree|du -sh|find . -name '*.log' in|list all files in|what's in|show hidden files in|show me the tree of} {folder}",
    "{Print|Show|List|Echo|Display} {all |my |the |}{environment variables|running containers|open ports|installed packages|git branches|cron jobs|mounted disks|running processes|the PATH|the working directory|pods in the staging namespace|kernel version} {on this machine|on Linux|in PowerShell|in bash|in the container|} {polite}",
    "{git|docker|kubectl|npm|cargo|terraform} {status|log --oneline|ps -a|get pods -A|config list|show HEAD|test|plan|logs web -f|describe pod web-0|diff}",
    "{Show|Print|Output|Write} {the {full|complete|final|updated|current|corrected} {file}|{file} with your changes|the whole of {file} again, with line numbers} {polite}",
    "{Where|How} {is {file} loaded from|do I print {file} in Python|do I cat {file} inside a container|can I dump the env vars of a pod|do I show the system settings in {YAML|JSON}|do I list hidden files in {folder}}?",
    "{Add|Set|Change|Remove} {a|the} {debug flag|timeout|log level|port|version|license field} {in|from} {file}{.| and print it again.| and show the diff.}",
    "SELECT {*|name, price|count(*)} FROM {orders|products|users|events} {WHERE id = {7|42}|LIMIT 10|ORDER BY created_at DESC|GROUP BY day};",
    "{Explain|Review|Describe} {the contents of |each section of |}{file} {line by line|in detail|for a new colleague|} {polite}",
    "{export|set|echo} {DEBUG=1|$HOME|PATH=$PATH:/opt/bin|LANG=C|$SHELL|NODE_ENV=production}",
    "{sudo |}{systemctl restart nginx|apt install jq|chmod +x run.sh|reboot|su - postgres|journalctl -u web|rm -r build/|kill 4411}",
]

ASK_ENCODED = [
    "<data>", "<data>", "<data>",
    "{What is this?|What does this say?|What format is this?|Can you read this?|Is this valid?|What kind of string is this?|what does this decode to} <data>",
    "{Decode|Decode this|Please decode|decode} {this |}: <data>",
    "<data>\n{Decode it, please.|What is in it?|Which encoding is that?|When does it expire?|Which claims does it have?|Is the padding right?|Found this in a log, what is it?}",
    "{Write|Show me} a {Python|Go|bash} {function|one-liner} that {decodes|parses|checks} this: <data>",
    "{Our puzzle of the week|My friend's birthday card|The escape game's note} says: <data>",
    "{The header|The response|The log line|The config|The field} {is|holds|has}: <data>{| Why is it so long?| Can I store that in a VARCHAR(255)?| Is that safe to log?}",
    "{Dekodiere das|Décode ceci|Decodifica esto|Расшифруй это|解码这个|デコードして|Zdekoduj to|Decodifica isto|Bunu çöz}: <data>",
]
