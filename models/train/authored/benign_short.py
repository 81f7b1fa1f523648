"""Short everyday commands to an assistant, often without the text they speak of: it stands in another message.

`TEMPLATES` with slots; `LOCAL`: language to plain texts. Harmless all; subject: other.
"""

SLOTS = {
    "tongue": [
        "French", "German", "Italian", "Portuguese", "Japanese", "Korean", "Arabic", "Hindi", "Dutch", "Polish", "Turkish", "Greek",
        "Swedish", "Vietnamese", "English", "plain English", "British English", "Latin American Spanish", "Mandarin", "Ukrainian",
    ],
    "piece": [
        "text", "paragraph", "sentence", "passage", "article", "email", "message", "letter", "document", "report", "section", "abstract",
        "review", "transcript", "chapter", "story", "list", "table", "note", "quote", "post", "page", "conversation", "thread",
    ],
    "code": ["code", "function", "script", "query", "snippet", "regex", "class", "config", "log", "error", "stack trace", "output"],
    "where": ["above", "below", "here", "", "", "I pasted", "I sent", "that follows", "in my last message"],
    "polite": ["", "", "", "please", "pls", "thanks", "if you can", "for me"],
    "few": ["two", "three", "four", "five", "ten", "a few"],
    "form": ["bullet points", "a table", "JSON", "CSV", "YAML", "markdown", "plain text", "one sentence", "one paragraph", "a numbered list", "HTML"],
    "tone": ["friendlier", "more formal", "more casual", "shorter", "longer", "simpler", "clearer", "less stiff", "more concise", "more polite", "funnier"],
    "part": ["names", "dates", "numbers", "prices", "addresses", "key points", "main ideas", "action items", "open questions", "verbs", "keywords", "headings"],
}

TEMPLATES = [
    "{Translate|translate|Please translate|Can you translate} {this|it|that|the {piece} {where}|the following {piece}|my {piece}} {to|into} {tongue} {polite}",
    "{Summarise|Summarize|summarize|Sum up|Please summarise|Can you summarise|Condense} {this|it|that|the {piece} {where}|the following {piece}|everything {above|so far}} {{polite}|in {few} sentences|in {form}}",
    "{Rewrite|Rephrase|Paraphrase|Reword|Edit|Polish} {this|it|that|the {piece} {where}|the above|the following {piece}} {|to be {tone}|so that it is {tone}|in {tongue}} {polite}",
    "{Make|make} {it|this|that|the {piece} {where}} {tone} {polite}",
    "{Explain|explain|Please explain|Can you explain} {this|it|that|the {piece} {where}|the {code} {where}|the above} {{polite}|line by line|step by step|to a beginner|in simple words}",
    "{Fix|Correct|Check|Proofread|Debug|Improve} {this|it|my {piece}|the {piece} {where}|the {code} {where}|my {code}|the grammar|the spelling} {polite}",
    "{List|Extract|Give me|Find|Pull out|Show|Highlight} {all |all the |the |}{part} {in|from|of} {this|it|the {piece} {where}|the following {piece}|my {piece}} {polite}",
    "{Show|Print|Display|Give me|Write out|Output|Paste} {me |}{the {full|whole|complete|final|updated|corrected} {code}|the {piece} again|the result|the {code} again|the answer again|the full {piece}} {polite}",
    "{Print|Count|Write|List|Say} {the numbers from 1 to {20|50|100}|the alphabet|the days of the week|the first {few} primes|the months in {tongue}}",
    "{Repeat|Say|Write|Send|Give me} {that|it|this|your last answer|your answer|the last step|the second point|what you just said|the previous answer|the last sentence} {again|once more|again but slower|again in {tongue}|again as {form}} {polite}",
    "{What did you say {before that|earlier|about that|just now|about the first one}?|What was {my first question|your first answer|the second option|the last one|my last message}?|What did I {ask|say|write} {before|earlier|at first}?}",
    "{Answer|Reply|Respond|Write|Talk to me} {only |}{in {tongue}|in {form}|in one word|with yes or no|with the number only|with the letter only|briefly} {{polite}|from now on|from here on|for the rest of this chat|}",
    "{Only|Just|Simply} {output|return|give me|write|show} {the {code}|the number|the answer|the translation|the JSON|the final result|{form}} {{polite}|, nothing else|, no explanation|}",
    "{Convert|Turn|Change|Put|Format} {this|it|that|the {piece} {where}|the {code} {where}} {into|as} {form} {polite}",
    "{Use|Based on|Using|From} the {piece} {above|below|I sent}{ to answer|, answer|, tell me|}: {who is the owner?|when does it start?|how much is it?|what is the deadline?|which one is cheaper?|what is it about?}",
    "{Encode|Decode|encode|decode} {this|it|the {piece} {where}|the following} {in|from|as|with} {base64|hex|URL encoding|Morse code|binary|rot13}{|: hello|: good morning|: aGVsbG8=|: 48 69|: d29ybGQ=}",
    "{Continue|continue|Go on|Keep going|Carry on|Next|More|Finish it|And then?|Go ahead|Proceed} {polite}",
    "{Continue|Finish|Complete|Extend} {the {piece} {where}|this {piece}|the story|the sentence|the list} {polite}",
    "{Start over|Start again|Begin again|Try again|Again|Undo that|Go back|Never mind|Forget it|Forget that|Scrap that|Drop it|New topic|Reset the game|Stop|Stop here|Wait|Hold on}{|.|!|, please}",
    "{Ignore|Skip|Leave out|Drop|Remove|Delete} {the {typos|headers|footnotes|first line|last row|comments|empty cells|duplicates|{part}}|case|white space|that one|my last message|the second one} {polite}",
    "{Classify|Rate|Label|Score} {the sentiment of |}{this|it|the {piece} {where}|each {piece}|the following {piece}} {polite}",
    "{Compare|Merge|Combine|Sort|Shuffle|Number} {them|these|the two|the {piece}s {where}|the {part}} {polite}",
    "{Be|Stay|Please be} {brief|honest|concise|kind|precise|specific|quick|serious} {polite}",
    "{No|Without|Fewer|Use} {bullet points|emojis|tables|headings|code blocks|long sentences|adjectives|jargon} {polite}",
    "{Who are you|What can you do|What model are you|Are you a bot|How do you work|Can you hear me|Do you remember me|How old are you|Are you there|Is this a real person}?",
    "{Tell me|Give me|Write|Make up} {a joke|a riddle|a poem|a story|a fun fact|a haiku|something nice|a title|a better title|an example|another example|more|a caption|a slogan} {polite}",
    "{You are|Act as|Be|Pretend to be|Play} {my {tongue} teacher|a travel guide|a cat|a pirate|a strict editor|a chef|a sports reporter|a museum guide|my running coach}{.|}",
    "{Do|Try} {the same|it again|that|this} {for the {second|next|other} {piece}|in {tongue}|with the {code} {where}|as {form}} {polite}",
]

LOCAL = {
    "de": [
        "Übersetze das ins Englische", "Bitte den folgenden Absatz ins Französische übersetzen", "Fass das bitte zusammen", "Fasse den obigen Artikel in drei Sätzen zusammen",
        "Kurze Zusammenfassung vom Text oben, danke", "Wiederhol den letzten Schritt", "Sag das nochmal auf Englisch", "Antworte nur mit einer Zahl", "Bitte nur Ja oder Nein",
        "Schreib es kürzer", "Erklär mir den Code oben", "Was hast du davor gesagt?", "Was war meine erste Frage?", "Mach weiter", "Nochmal von vorn", "Vergiss es, neues Thema",
        "Korrigiere die Rechtschreibung", "Als Tabelle bitte", "Zeig mir den ganzen Code nochmal", "Nenne alle Namen aus dem Text",
    ],
    "fr": [
        "Traduis ça en allemand", "Traduisez le paragraphe suivant en anglais", "Résume l'article ci-dessus", "Fais un résumé en trois phrases", "Répète la dernière étape",
        "Redis-le plus simplement", "Réponds juste par oui ou non", "Uniquement le résultat", "Corrige les fautes", "Continue", "Qu'est-ce que tu as dit avant ?",
        "C'était quoi ma première question ?", "Explique le code ci-dessus", "Mets ça en tableau", "Laisse tomber, on change de sujet", "Plus court s'il te plaît",
        "Affiche encore le code complet", "Liste les dates du texte",
    ],
    "es": [
        "Traduce esto al inglés", "Traduce el párrafo siguiente al francés", "Resume el artículo de arriba", "Hazme un resumen en tres frases", "Repite el último paso",
        "Dilo otra vez más despacio", "Responde solo sí o no", "Solo el número", "Corrige la ortografía", "Sigue", "¿Qué dijiste antes?", "¿Cuál era mi primera pregunta?",
        "Explica el código de arriba", "Ponlo en una tabla", "Olvídalo, otro tema", "Más corto, por favor", "Muéstrame el código completo otra vez", "Lista los nombres del texto",
    ],
    "pt": [
        "Traduza isto para o inglês", "Resuma o texto acima", "Resume o parágrafo seguinte em duas frases", "Repete o último passo", "Responde só com sim ou não", "Só o número, por favor",
        "Corrija a ortografia", "Continua", "O que você disse antes?", "Qual foi a minha primeira pergunta?", "Explica o código acima", "Coloca numa tabela", "Esquece, outro assunto",
        "Mais curto, por favor", "Mostra o código completo de novo",
    ],
    "it": [
        "Traduci questo in inglese", "Riassumi il testo qui sopra", "Riassumi l'articolo in tre frasi", "Ripeti l'ultimo passaggio", "Rispondi solo sì o no", "Solo il numero",
        "Correggi gli errori", "Continua", "Cosa hai detto prima?", "Qual era la mia prima domanda?", "Spiega il codice sopra", "Mettilo in una tabella", "Lascia stare, cambiamo argomento",
        "Più corto per favore", "Mostrami di nuovo tutto il codice",
    ],
    "nl": [
        "Vertaal dit naar het Engels", "Vat de tekst hierboven samen", "Vat het artikel samen in drie zinnen", "Herhaal de laatste stap", "Antwoord alleen met ja of nee",
        "Alleen het getal graag", "Verbeter de spelling", "Ga door", "Wat zei je daarvoor?", "Wat was mijn eerste vraag?", "Leg de code hierboven uit", "Zet het in een tabel",
        "Laat maar, ander onderwerp", "Korter graag",
    ],
    "pl": [
        "Przetłumacz to na angielski", "Streść powyższy tekst", "Streść artykuł w trzech zdaniach", "Powtórz ostatni krok", "Odpowiedz tylko tak lub nie", "Tylko liczba",
        "Popraw błędy", "Kontynuuj", "Co powiedziałeś wcześniej?", "Jakie było moje pierwsze pytanie?", "Wyjaśnij powyższy kod", "Zrób z tego tabelę", "Nieważne, inny temat", "Krócej proszę",
    ],
    "ru": [
        "Переведи это на английский", "Переведи следующий абзац на немецкий", "Кратко перескажи статью выше", "Сделай краткое содержание текста", "Повтори последний шаг",
        "Скажи ещё раз проще", "Ответь только да или нет", "Только число", "Исправь ошибки", "Продолжай", "Что ты сказал до этого?", "Какой был мой первый вопрос?", "Объясни код выше",
        "Оформи таблицей", "Забудь, другая тема", "Короче, пожалуйста", "Покажи весь код ещё раз",
    ],
    "uk": [
        "Переклади це англійською", "Стисло перекажи текст вище", "Повтори останній крок", "Відповідай лише так або ні", "Виправ помилки", "Продовжуй", "Що ти сказав перед цим?",
        "Поясни код вище", "Зроби таблицю", "Коротше, будь ласка",
    ],
    "tr": [
        "Bunu İngilizceye çevir", "Yukarıdaki metni özetle", "Makaleyi üç cümlede özetle", "Son adımı tekrarla", "Sadece evet ya da hayır de", "Sadece sayıyı yaz", "Yazım hatalarını düzelt",
        "Devam et", "Az önce ne dedin?", "İlk sorum neydi?", "Yukarıdaki kodu açıkla", "Tablo yap", "Boş ver, başka konu", "Daha kısa lütfen",
    ],
    "ar": [
        "ترجم هذا إلى الإنجليزية", "لخص النص أعلاه", "لخص المقال في ثلاث جمل", "كرر الخطوة الأخيرة", "أجب بنعم أو لا فقط", "الرقم فقط", "صحح الأخطاء", "أكمل", "ماذا قلت قبل ذلك؟",
        "ما كان سؤالي الأول؟", "اشرح الكود أعلاه", "ضعه في جدول", "أقصر من فضلك",
    ],
    "hi": [
        "इसे अंग्रेज़ी में अनुवाद करो", "ऊपर दिए गए पाठ का सारांश दो", "लेख को तीन वाक्यों में समझाओ", "आखिरी कदम दोहराओ", "सिर्फ़ हाँ या ना में जवाब दो", "गलतियाँ ठीक करो", "आगे बताओ",
        "तुमने पहले क्या कहा था?", "ऊपर का कोड समझाओ", "तालिका बना दो", "थोड़ा छोटा करो",
    ],
    "zh": [
        "把这个翻译成英文", "翻译下面这段话", "总结一下上文", "用三句话概括这篇文章", "重复最后一步", "再说一遍", "只回答是或否", "只给我数字", "改正错别字", "继续", "你之前说了什么？",
        "我的第一个问题是什么？", "解释上面的代码", "做成表格", "算了，换个话题", "短一点", "再显示一次完整代码", "列出文中的日期",
    ],
    "ja": [
        "これを英語に訳して", "次の段落を英語に翻訳して", "上の記事を三文で要約して", "要約して", "最後の手順をもう一度", "もう一度言って", "はいかいいえで答えて", "数字だけ教えて", "誤字を直して",
        "続けて", "さっき何と言いましたか？", "最初の質問は何でしたか？", "上のコードを説明して", "表にして", "別の話題にしよう", "もっと短く", "コード全体をもう一度見せて",
    ],
    "ko": [
        "이걸 영어로 번역해 줘", "다음 문단을 영어로 번역해 줘", "위 글을 세 문장으로 요약해 줘", "요약해 줘", "마지막 단계를 다시 말해 줘", "예 아니오로만 답해", "숫자만 알려 줘", "오타를 고쳐 줘", "계속해",
        "아까 뭐라고 했어?", "내 첫 질문이 뭐였지?", "위 코드를 설명해 줘", "표로 만들어 줘", "더 짧게",
    ],
    "vi": [
        "Dịch cái này sang tiếng Anh", "Tóm tắt đoạn văn trên", "Tóm tắt bài viết trong ba câu", "Lặp lại bước cuối", "Chỉ trả lời có hoặc không", "Sửa lỗi chính tả", "Tiếp tục đi",
        "Lúc nãy bạn nói gì?", "Giải thích đoạn mã trên", "Làm thành bảng", "Ngắn hơn nhé",
    ],
    "id": [
        "Terjemahkan ini ke bahasa Inggris", "Ringkas teks di atas", "Ringkas artikel ini dalam tiga kalimat", "Ulangi langkah terakhir", "Jawab ya atau tidak saja", "Perbaiki ejaannya",
        "Lanjutkan", "Tadi kamu bilang apa?", "Jelaskan kode di atas", "Buat jadi tabel", "Lebih singkat ya",
    ],
    "cs": ["Přelož to do angličtiny", "Shrň text výše", "Zopakuj poslední krok", "Odpověz jen ano nebo ne", "Oprav chyby", "Pokračuj", "Co jsi říkal předtím?", "Vysvětli kód výše", "Udělej z toho tabulku", "Kratší, prosím"],
    "sv": ["Översätt det här till engelska", "Sammanfatta texten ovan", "Upprepa sista steget", "Svara bara ja eller nej", "Rätta stavfelen", "Fortsätt", "Vad sa du innan?", "Förklara koden ovan", "Gör en tabell", "Kortare tack"],
}
