package io.idem.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The version that a {@code redis-server} program reports; 0.0 if it reports none. */
record RedisVersion(int major, int minor) {

    private static final Pattern VERSION = Pattern.compile("\\bv=(\\d+)\\.(\\d+)");

    static RedisVersion of(Path program) {
        try {
            Process process = new ProcessBuilder(program.toString(), "--version")
                    .redirectErrorStream(true)
                    .start();
            return parse(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot ask " + program + " for its version", e);
        }
    }

    static RedisVersion parse(String output) {
        Matcher matcher = VERSION.matcher(output);
        return matcher.find()
                ? new RedisVersion(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)))
                : new RedisVersion(0, 0);
    }

    boolean atLeast(int wantedMajor, int wantedMinor) {
        return major > wantedMajor || (major == wantedMajor && minor >= wantedMinor);
    }
}
