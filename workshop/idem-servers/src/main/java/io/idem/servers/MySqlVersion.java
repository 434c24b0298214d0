package io.idem.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The major version that a {@code mysqld} program reports; 0 if it is a MariaDB or cannot run.
 *
 * @param report the output of the program
 */
record MySqlVersion(int major, String report) {

    private static final Pattern VERSION = Pattern.compile("\\bVer (\\d+)\\.\\d+\\.\\d+(?!\\S*MariaDB)");

    /** Asks the program, which runs with these environment variables in addition to those of this JVM. */
    static MySqlVersion of(Path program, Map<String, String> environment) {
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(program.toString(), "--no-defaults", "--version").redirectErrorStream(true);
            builder.environment().putAll(environment);
            Process process = builder.start();
            return parse(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot ask " + program + " for its version", e);
        }
    }

    static MySqlVersion parse(String output) {
        Matcher matcher = VERSION.matcher(output);
        return new MySqlVersion(matcher.find() ? Integer.parseInt(matcher.group(1)) : 0, output.strip());
    }
}
