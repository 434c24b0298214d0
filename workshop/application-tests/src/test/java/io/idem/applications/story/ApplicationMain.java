package io.idem.applications.story;

import io.idem.servers.process.ChildJvm;
import io.idem.servers.process.ParentWatch;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.util.ClassUtils;

/** Runs an application in its own process, until it is killed. */
public final class ApplicationMain {

    private ApplicationMain() {}

    /**
     * Starts an application; the first argument names its classes, the others are settings, written {@code name=value}.
     */
    public static void main(String[] arguments) {
        ParentWatch.haltWithParent();
        Map<String, String> settings = Arrays.stream(arguments)
                .skip(1)
                .map(setting -> setting.split("=", 2))
                .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
        RunningApplication.run(
                Arrays.stream(arguments[0].split(","))
                        .<Class<?>>map(name -> ClassUtils.resolveClassName(name, null))
                        .toList(),
                settings);
    }

    static ChildJvm start(Application application, Site site) {
        String[] settings = Servers.settings(application, site).entrySet().stream()
                .map(setting -> setting.getKey() + "=" + setting.getValue())
                .toArray(String[]::new);
        return ChildJvm.of(ApplicationMain.class.getName())
                .named("application")
                .jvmArguments(
                        "-Xmx192m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:MetaspaceSize=128m",
                        "-Xshare:auto")
                .jvmArguments("-Dorg.springframework.boot.logging.LoggingSystem=none")
                .arguments(application.sources().stream().map(Class::getName).collect(Collectors.joining(",")))
                .arguments(settings)
                .start();
    }
}
