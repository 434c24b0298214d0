package io.idem.demo.page;

import static org.awaitility.Awaitility.await;

import io.idem.demo.PaymentDemo;
import io.idem.servers.process.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The process that {@code ./demo --page} runs, with real servers and workers, and with further options. */
final class DemoProcess implements AutoCloseable {

    private static final Pattern PAGE = Pattern.compile("up: page at (\\S+)");

    private final ChildJvm process;
    private final URI page;

    DemoProcess(Path directory, String... options) {
        Path log = directory.resolve("demo.log");
        process = ChildJvm.of(PaymentDemo.class.getName())
                .named("demo")
                .jvmArguments(
                        "-Xmx384m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Ddemo.output=" + directory,
                        "-Dorg.springframework.boot.logging.LoggingSystem=none",
                        "-Dlogback.configurationFile=io/idem/demo/supervisor/logback.xml")
                .arguments(
                        Stream.concat(Stream.of("--page"), Stream.of(options)).toArray(String[]::new))
                .start(log);
        await().atMost(ChildJvm.LONGEST_START).until(() -> address(log).isPresent() || !process.isAlive());
        page = address(log).orElseThrow(() -> new IllegalStateException("The demo ended:\n" + process.lastOutput()));
    }

    private static Optional<URI> address(Path log) {
        try {
            Matcher matcher = PAGE.matcher(Files.exists(log) ? Files.readString(log) : "");
            return matcher.find() ? Optional.of(URI.create(matcher.group(1))) : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("The demo's output cannot be read", e);
        }
    }

    URI page() {
        return page;
    }

    @Override
    public void close() {
        process.close();
    }
}
