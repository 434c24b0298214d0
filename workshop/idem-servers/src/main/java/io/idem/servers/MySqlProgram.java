package io.idem.servers;

import io.idem.servers.process.FreePorts;
import io.idem.servers.process.OwnProcess;
import io.idem.servers.process.Programs;
import io.idem.servers.process.RunDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server program of MySQL 8 or newer.
 *
 * @param home directory of an unpacked program with its messages; empty if it finds its own
 */
record MySqlProgram(Path file, Optional<Path> home, Map<String, String> environment, Origin origin) {

    /** Setting that names a directory with libaio and libnuma, for machines that lack them. */
    static final String LIBRARIES = "IDEM_MYSQL_LIBRARIES";

    private static final Logger LOG = LoggerFactory.getLogger(MySqlProgram.class);
    private static final int OLDEST = 8;

    /** Lets no change wait for the disk, which only a crash of the machine can tell. */
    private static final String WITHOUT_SYNC = "--innodb-flush-method=nosync";

    /** The statements that let every loopback client in; MySQL does not serve clients without its tables of users. */
    private static final List<String> TRUST_EVERYONE =
            List.of("CREATE USER 'root'@'%' IDENTIFIED BY '';", "GRANT ALL ON *.* TO 'root'@'%' WITH GRANT OPTION;");

    static Optional<MySqlProgram> installed() {
        // MariaDB has a program of this name too.
        return Programs.find("mysqld")
                .filter(file -> MySqlVersion.of(file, Map.of()).major() >= OLDEST)
                .map(file -> new MySqlProgram(file, Optional.empty(), Map.of(), Origin.INSTALLED));
    }

    static Optional<MySqlProgram> embedded(Environment environment) {
        Platform platform = Platform.ofThisMachine();
        if (!platform.equals(new Platform("linux", "amd64"))) {
            return Optional.empty();
        }
        Map<String, String> libraries = environment
                .value(LIBRARIES)
                .map(directory -> Map.of("LD_LIBRARY_PATH", directory))
                .orElse(Map.of());
        return ProgramArchive.find("mysql-Linux-amd64", ".tar.gz")
                .map(ProgramArchive::unpack)
                .map(home -> new MySqlProgram(
                        home.resolve("bin").resolve("mysqld"), Optional.of(home), libraries, Origin.EMBEDDED))
                .filter(MySqlProgram::runsHere);
    }

    private boolean runsHere() {
        MySqlVersion version = MySqlVersion.of(file, environment);
        if (version.major() >= OLDEST) {
            return true;
        }
        LOG.warn(
                "{} does not run here; {} may name a directory with its libraries: {}",
                file,
                LIBRARIES,
                version.report());
        return false;
    }

    RunningMySql start(ServerOptions options) {
        Path directory = RunDirectory.ofThisJvm().newDirectory("mysql");
        initialise(directory);
        int port = FreePorts.next();
        List<String> command = serverCommand(directory, port, options);
        Lifecycle server = new ServerProcess(
                "MySQL",
                () -> OwnProcess.start(command, environment, log(directory)),
                process -> Greeting.comesFrom(port),
                "TERM",
                () -> Directories.delete(directory));
        server.start();
        return new RunningMySql("jdbc:mysql://127.0.0.1:" + port + "/", "root", "", origin, server);
    }

    private void initialise(Path directory) {
        Path users = directory.resolve("users.sql");
        try {
            Files.write(users, TRUST_EVERYONE);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + users, e);
        }
        List<String> command = command(directory);
        command.addAll(List.of("--initialize-insecure", "--init-file=" + users));
        // What is lost if the machine fails meanwhile is not needed.
        command.addAll(List.of("--innodb-flush-log-at-trx-commit=0", "--innodb-doublewrite=OFF", WITHOUT_SYNC));
        OwnProcess initialisation = OwnProcess.start(command, environment, log(directory));
        if (initialisation.onExit().join() != 0) {
            throw new IllegalStateException("MySQL cannot be prepared here. Set " + MySqlServers.URL_SETTING
                    + " to use another one. It said:\n" + initialisation.lastOutput());
        }
        initialisation.end("TERM");
    }

    private List<String> serverCommand(Path directory, int port, ServerOptions options) {
        List<String> command = command(directory);
        command.addAll(List.of("--port=" + port, "--socket=" + directory.resolve("s"), "--mysqlx=OFF"));
        command.addAll(List.of("--bind-address=127.0.0.1", "--skip-name-resolve", "--max-connections=200"));
        command.addAll(List.of("--pid-file=" + directory.resolve("pid"), "--performance-schema=OFF"));
        command.add("--innodb-flush-log-at-trx-commit=" + (options.durable() ? 1 : 2));
        if (!options.durable()) {
            command.add(WITHOUT_SYNC);
        }
        options.settings().forEach((name, value) -> command.add("--" + name + "=" + value));
        return command;
    }

    private List<String> command(Path directory) {
        List<String> command = new ArrayList<>(List.of(file.toString(), "--no-defaults"));
        // The server refuses to run as root without an explicit user.
        command.add("--user=" + System.getProperty("user.name"));
        home.ifPresent(
                base -> command.addAll(List.of("--basedir=" + base, "--lc-messages-dir=" + base.resolve("share"))));
        command.addAll(List.of("--datadir=" + directory.resolve("data"), "--skip-log-bin"));
        command.addAll(List.of("--innodb-buffer-pool-size=32M", "--loose-auto-generate-certs=OFF"));
        return command;
    }

    private static Path log(Path directory) {
        return directory.resolve("mysql.log");
    }
}
