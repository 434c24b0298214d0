package io.idem.workshop.process;

import static io.idem.workshop.process.Waiting.waitUntil;

import io.idem.demo.watch.WorkerEvent;
import io.idem.servers.process.ChildJvm;
import io.idem.servers.process.RunDirectory;
import io.idem.workshop.child.Announcement;
import io.idem.workshop.child.Point;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import tools.jackson.databind.json.JsonMapper;

/** An application under test in its own JVM, with a tripwire. Thread-safe. */
public final class Application implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /**
     * The settings of every application that does not have its own: the connection pool opens one session at the start,
     * and others when they are needed. Ten, as by default, would cost more than most tests make the database do.
     */
    private static final Map<String, String> COMMON = Map.of("spring.datasource.hikari.minimum-idle", "1");

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final String name;
    private final ChildJvm process;
    private final Path announcement;
    private final HttpClient control = HttpClient.newHttpClient();
    private final long startedAt = System.currentTimeMillis();

    private Application(String name, ChildJvm process, Path announcement) {
        this.name = name;
        this.process = process;
        this.announcement = announcement;
    }

    /** Starts an application without waiting until it is up. The log is in a directory of target/e2e-logs. */
    public static Application start(
            String kind, Class<?> mainClass, Map<String, String> settings, String... arguments) {
        return start(kind, mainClass, List.of(), settings, arguments);
    }

    /** Starts an application with additional arguments for its JVM, without waiting until it is up. */
    public static Application start(
            String kind,
            Class<?> mainClass,
            List<String> jvmArguments,
            Map<String, String> settings,
            String... arguments) {
        String name = kind + "-" + NUMBER.incrementAndGet();
        Path announcement = RunDirectory.ofThisJvm().newDirectory(name).resolve("announcement");
        Map<String, String> all = new LinkedHashMap<>(COMMON);
        all.putAll(settings);
        ChildJvm process = ChildJvm.of(mainClass.getName())
                .named(name)
                .jvmArguments(
                        "-Xmx192m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:MetaspaceSize=128m",
                        "-XX:-UsePerfData",
                        "-Xshare:auto")
                .jvmArguments(ClassArchive.ofThisModule().arguments().toArray(String[]::new))
                .jvmArguments(jvmArguments.toArray(String[]::new))
                .jvmArguments("-D" + Announcement.FILE + "=" + announcement)
                .environment("SPRING_APPLICATION_JSON", JSON.writeValueAsString(all))
                .environment("DEMO_WORKER", name)
                .arguments(arguments)
                .start(log(name));
        return new Application(name, process, announcement);
    }

    private static Path log(String name) {
        try {
            Path directory = Files.createDirectories(Path.of(System.getProperty("e2e.logs", "target/e2e-logs")));
            Path log = directory.resolve(name + ".log");
            Files.deleteIfExists(log);
            return log;
        } catch (IOException e) {
            throw new UncheckedIOException("No log for " + name, e);
        }
    }

    /** Returns the announcement, when the application is up. */
    public Announcement awaitUp() {
        waitUntil(name + " is up")
                .atMost(ChildJvm.LONGEST_START)
                .until(() -> !process.isAlive() || Files.exists(announcement));
        return Announcement.read(announcement)
                .orElseThrow(() -> new AssertionError(name + " did not come up:\n" + process.lastOutput()));
    }

    /** Returns the exit code when the process has ended before it was up, however slow the machine is. */
    public int awaitRefusal() {
        waitUntil(name + " has ended").atMost(ChildJvm.LONGEST_START).until(() -> !process.isAlive() || isUp());
        if (process.isAlive()) {
            throw new AssertionError(name + " came up:\n" + process.lastOutput());
        }
        return process.awaitEnd();
    }

    /** Sets the tripwire for the first thread that passes a point with a key; an empty key stands for any. */
    public void set(Point point, String scope, String key) {
        control("PUT", "/" + point + "/" + scope + "/" + key);
    }

    /** Returns whether a thread has stopped at the tripwire. */
    public boolean caught() {
        return caughtKey().isPresent();
    }

    /** Returns the key of the thread that is stopped; empty if none is. */
    public Optional<String> caughtKey() {
        String[] words = control("GET", "/").split(" ", 3);
        return words[0].equals("REACHED") ? Optional.of(words[2]) : Optional.empty();
    }

    /** Returns whether the process has announced that it is up. */
    public boolean isUp() {
        return Files.exists(announcement);
    }

    /** Returns the milliseconds from the start to the announcement; empty if there is none yet. */
    public OptionalLong startUpMillis() {
        try {
            return isUp()
                    ? OptionalLong.of(Files.getLastModifiedTime(announcement).toMillis() - startedAt)
                    : OptionalLong.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("The start of " + name + " cannot be measured", e);
        }
    }

    /** Releases the stopped thread, and stops no further one. */
    public void release() {
        control("DELETE", "/");
    }

    private String control(String method, String path) {
        URI uri = URI.create("http://127.0.0.1:" + awaitUp().control() + path);
        HttpRequest request = HttpRequest.newBuilder(uri)
                .timeout(Waiting.PATIENCE)
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        try {
            return answer(request);
        } catch (IOException e) {
            throw new UncheckedIOException(name + " cannot be controlled", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while controlling " + name, e);
        }
    }

    /** Sends a request, and repeats it if the server closes the connection, as after 30 s without requests. */
    private String answer(HttpRequest request) throws IOException, InterruptedException {
        try {
            return control.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException closed) {
            return control.send(request, HttpResponse.BodyHandlers.ofString()).body();
        }
    }

    /** Returns the events that the demo logged in this process and that match the predicate. */
    public List<WorkerEvent> events(Predicate<WorkerEvent> which) {
        return output().lines()
                .map(WorkerEvent::parse)
                .flatMap(Optional::stream)
                .filter(which)
                .toList();
    }

    /** Returns the output of the process. */
    public String output() {
        try {
            return Files.readString(process.log(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("The log of " + name + " cannot be read", e);
        }
    }

    public ChildJvm process() {
        return process;
    }

    @Override
    public void close() {
        process.close();
    }

    @Override
    public String toString() {
        return name + " (" + process.pid() + ")";
    }
}
