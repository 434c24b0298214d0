package io.idem.servers.qpid;

import io.idem.servers.process.ParentWatch;
import io.idem.servers.process.ReadyFile;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.qpid.server.SystemLauncher;
import org.apache.qpid.server.model.SystemConfig;

/** Main class of the JVM of an AMQP 0-9-1 broker, which runs until SIGTERM or the end of its parent. */
public final class QpidMain {

    private QpidMain() {}

    /**
     * Starts the broker.
     *
     * @param arguments the port; a working directory; the initial configuration's URL; context variables as name=value
     */
    public static void main(String[] arguments) throws Exception {
        ParentWatch.haltWithParent();
        Map<String, String> context = new HashMap<>();
        context.put("qpid.amqp_port", arguments[0]);
        context.put("qpid.work_dir", Path.of(arguments[1]).toString());
        for (int index = 3; index < arguments.length; index++) {
            String[] variable = arguments[index].split("=", 2);
            context.put(variable[0], variable[1]);
        }
        SystemLauncher launcher = new SystemLauncher();
        Runtime.getRuntime().addShutdownHook(new Thread(launcher::shutdown, "broker-shutdown"));
        launcher.startup(Map.of(
                SystemConfig.TYPE,
                "Memory",
                SystemConfig.INITIAL_CONFIGURATION_LOCATION,
                arguments[2],
                SystemConfig.STARTUP_LOGGED_TO_SYSTEM_OUT,
                "false",
                SystemConfig.CONTEXT,
                context));
        ReadyFile.announce();
    }
}
