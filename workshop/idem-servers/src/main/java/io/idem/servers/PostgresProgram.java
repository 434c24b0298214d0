package io.idem.servers;

import io.idem.servers.process.FreePorts;
import io.idem.servers.process.OwnProcess;
import io.idem.servers.process.RunDirectory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The PostgreSQL programs unpacked from a jar.
 *
 * @param home directory with {@code bin}, {@code lib} and {@code share}
 */
record PostgresProgram(Path home) {

    private static final String USER = "postgres";
    private static final boolean ROOT_RUNS_THIS = "root".equals(System.getProperty("user.name"));

    static Optional<PostgresProgram> embedded() {
        Platform platform = Platform.ofThisMachine();
        String name = "postgres-" + platform.system() + "-" + platform.postgresProcessor();
        return ProgramArchive.find(name, ".txz").map(ProgramArchive::unpack).map(PostgresProgram::new);
    }

    RunningPostgres start(ServerOptions options) {
        Path directory = RunDirectory.ofThisJvm().newDirectory("postgres");
        Path data = directory.resolve("data");
        Path log = directory.resolve("postgres.log");
        initialise(data, log);
        int port = FreePorts.next();
        List<String> command = serverCommand(data, port, options);
        Lifecycle server = new ServerProcess(
                "PostgreSQL",
                () -> OwnProcess.start(command, Map.of(), log),
                process -> PostmasterFile.saysReady(data, process.pid()),
                // SIGTERM would wait for clients to disconnect.
                "INT",
                () -> Directories.delete(directory));
        server.start();
        String url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
        return new RunningPostgres(url, USER, USER, Origin.EMBEDDED, server);
    }

    private void initialise(Path data, Path log) {
        List<String> command = program("initdb");
        command.addAll(List.of("-D", data.toString(), "-U", USER, "-A", "trust", "-E", "UTF8"));
        command.addAll(List.of("--locale=C", "--no-sync", "--no-instructions"));
        OwnProcess initdb = OwnProcess.start(command, Map.of(), log);
        if (initdb.onExit().join() != 0) {
            throw new IllegalStateException(
                    "PostgreSQL cannot be prepared here; root needs user namespaces for it. Set "
                            + PostgresServers.URL_SETTING + " to use another one. It said:\n" + initdb.lastOutput());
        }
        initdb.end("TERM");
    }

    private List<String> serverCommand(Path data, int port, ServerOptions options) {
        List<String> command = program("postgres");
        command.addAll(List.of("-D", data.toString(), "-p", Integer.toString(port)));
        PostgresSettings.of(options).forEach((name, value) -> command.addAll(List.of("-c", name + "=" + value)));
        return command;
    }

    /**
     * Returns the command line of a program. PostgreSQL refuses to run as root; in a new user namespace, the process is
     * not root.
     */
    private List<String> program(String name) {
        List<String> command = new ArrayList<>();
        if (ROOT_RUNS_THIS) {
            command.addAll(List.of("unshare", "-U"));
        }
        command.add(home.resolve("bin").resolve(name).toString());
        return command;
    }
}
