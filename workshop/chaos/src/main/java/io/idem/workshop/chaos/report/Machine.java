package io.idem.workshop.chaos.report;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** The machine of a run. */
public final class Machine {

    private static final long GIGABYTE = 1L << 30;

    private Machine() {}

    /** Returns a description for people. */
    public static String describe() {
        var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return system.getAvailableProcessors() + " processors (" + model() + "), "
                + Math.round(system.getTotalMemorySize() / (double) GIGABYTE) + " GB, " + system.getName() + " "
                + system.getArch();
    }

    /** Returns the load average of the last minute. A load above the number of processors is too high. */
    public static String load() {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        return String.format(Locale.ROOT, "%.1f", load);
    }

    private static String model() {
        try {
            return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException noLinux) {
            return "unknown";
        }
    }
}
