package io.idem.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;

/** Auto-configurations on the class path of the benchmarks that an application is started without. */
public final class Exclusions {

    /** The Spring setting with the names. */
    public static final String SETTING = "spring.autoconfigure.exclude";

    /** The prefix of Spring Modulith's auto-configurations. */
    public static final String MODULITH = "org.springframework.modulith.";

    /** The prefix of the auto-configurations of idem. */
    public static final String IDEM = "io.idem.";

    /** The auto-configuration of a data source, and with it of everything that needs one. */
    public static final String DATA_SOURCE = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration";

    private Exclusions() {}

    /** Returns the value of the setting that excludes everything with one of these prefixes. */
    public static String of(String... prefixes) {
        List<String> all = Arrays.asList(prefixes);
        ImportCandidates candidates = ImportCandidates.load(AutoConfiguration.class, Exclusions.class.getClassLoader());
        return StreamSupport.stream(candidates.spliterator(), false)
                .filter(name -> all.stream().anyMatch(name::startsWith))
                .collect(Collectors.joining(","));
    }
}
