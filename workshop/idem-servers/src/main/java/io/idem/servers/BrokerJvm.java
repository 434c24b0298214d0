package io.idem.servers;

import io.idem.servers.process.ChildJvm;
import io.idem.servers.process.OwnProcess;
import io.idem.servers.process.ReadyFile;
import java.nio.file.Path;

/** A broker in a child JVM with a small heap, tuned for a quick start and quiet logs. */
record BrokerJvm(String name, Class<?> mainClass, Path directory, int heapMegabytes) {

    Lifecycle lifecycle(String... arguments) {
        ReadyFile ready = new ReadyFile(directory.resolve("ready"));
        return new ServerProcess(
                name,
                () -> launch(ready, arguments),
                process -> ready.exists(),
                "TERM",
                () -> Directories.delete(directory));
    }

    /** Returns the file of both output streams, which is appended to at each start. */
    Path log() {
        return directory.resolve(name + ".log");
    }

    private OwnProcess launch(ReadyFile ready, String... arguments) {
        ready.clear();
        return ChildJvm.of(mainClass.getName())
                .named(name)
                .jvmArguments(
                        "-Xmx" + heapMegabytes + "m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:MetaspaceSize=96m",
                        "-XX:-UsePerfData")
                .jvmArguments("-Dlogback.configurationFile=io/idem/servers/child-logback.xml")
                .jvmArguments("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn")
                .jvmArguments(ready.jvmArgument())
                .arguments(arguments)
                .start(log())
                .process();
    }
}
