package io.idem.servers;

import java.util.Locale;

/** Names of operating system and processor as the jars with server programs spell them. */
record Platform(String system, String processor) {

    static Platform ofThisMachine() {
        return of(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    static Platform of(String osName, String osArch) {
        String system = osName.toLowerCase(Locale.ROOT).startsWith("mac") ? "darwin" : osName.toLowerCase(Locale.ROOT);
        String processor = switch (osArch) {
            case "x86_64", "amd64" -> "amd64";
            case "aarch64", "arm64" -> "arm64";
            default -> osArch;
        };
        return new Platform(system, processor);
    }

    /** Returns the name of the processor in PostgreSQL's archives. */
    String postgresProcessor() {
        return switch (processor) {
            case "amd64" -> "x86_64";
            case "arm64" -> "arm_64";
            default -> processor;
        };
    }
}
