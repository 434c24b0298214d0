package io.idem.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** The versions of programs on this machine, as the programs report them. */
final class Facts {

    private static final int PATIENCE_SECONDS = 20;
    private static final String UNKNOWN = "unknown";

    private Facts() {}

    /** Returns the version of a JDK, such as {@code JDK 25.0.3}. */
    static String jdk(String java) {
        String all = said(java, "-XshowSettings:properties", "-version");
        return all.lines()
                .map(String::trim)
                .filter(line -> line.startsWith("java.version ="))
                .map(line -> "JDK " + line.substring(line.indexOf('=') + 1).trim())
                .findFirst()
                .orElse(UNKNOWN);
    }

    /** Returns the abbreviated hash of the commit that is measured. */
    static String commit() {
        String said = said("git", "rev-parse", "--short", "HEAD").trim();
        return said.isEmpty() ? UNKNOWN : said;
    }

    private static String said(String... words) {
        try {
            Process process =
                    new ProcessBuilder(words).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0 ? said : "";
        } catch (IOException absent) {
            return "";
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return "";
        }
    }
}
