package io.idem.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The files, commands and expected output of a quick start. */
record QuickStart(String page) {

    private static final Pattern FILE = Pattern.compile("(?m)^`([\\w./-]+)`:\n\n```\\w+\n([\\s\\S]*?)^```$");
    private static final Pattern COMMAND = Pattern.compile("(?m)^```sh\n([\\s\\S]*?)^```$");
    private static final Pattern OUTPUT = Pattern.compile("(?m)^```text\n([\\s\\S]*?)^```$");

    static QuickStart of(String name) throws IOException {
        return new QuickStart(section(Files.readString(Pom.ROOT.resolve("docs/quickstart.md")), name));
    }

    private static String section(String page, String name) {
        return Pattern.compile("(?m)^## ")
                .splitAsStream(page)
                .filter(part -> part.toLowerCase(Locale.ROOT).startsWith(name + "\n"))
                .findFirst()
                .orElseThrow();
    }

    /** Writes the files of the project exactly as the page shows them. */
    void writeTo(Path folder) throws IOException {
        for (MatchResult file : FILE.matcher(page).results().toList()) {
            Path written = folder.resolve(file.group(1));
            Files.createDirectories(written.getParent());
            Files.writeString(written, file.group(2));
        }
    }

    /** Returns the commands that begin with a word, each in one line. */
    List<String> commands(String program) {
        return COMMAND.matcher(page)
                .results()
                .flatMap(block -> block.group(1).replaceAll("\\\\\n\\s*", "").lines())
                .filter(line -> line.startsWith(program + " "))
                .toList();
    }

    /** Returns the expected output. */
    List<String> output() {
        return OUTPUT.matcher(page)
                .results()
                .flatMap(block -> block.group(1).lines())
                .toList();
    }
}
