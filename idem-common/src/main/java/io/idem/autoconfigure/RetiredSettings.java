package io.idem.autoconfigure;

import io.idem.ConfigurationException;
import java.util.List;
import java.util.stream.StreamSupport;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.core.env.Environment;

/** The settings of earlier versions that would be missed without a word. */
final class RetiredSettings {

    private static final List<Retired> ALL = List.of(
            new Retired(
                    "idem.result.offload.directory",
                    "results are not kept in files any more, and duplicates would miss those that are there",
                    "Remove it after the longest retention since the last file was written, or move the files to S3: copy them under"
                            + " their names to a bucket, below idem.result.offload.s3.prefix, and set"
                            + " idem.result.offload.s3.bucket."),
            new Retired(
                    "idem.jdbc.fail-open",
                    "no work runs while the store is away",
                    "Remove it. Where work must go on without Redis, let the inbox be the only store (idem.store=inbox): the"
                            + " rows in the database of the work make the same promise, and there is no other store that could be"
                            + " away."),
            new Retired(
                    "idem.jdbc.retention",
                    "the row of an inbox is kept as long as the record of its scope",
                    "Remove it, and set idem.retention, or that of a scope, listener or route, to the time after which no duplicate"
                            + " comes any more."),
            new Retired(
                    "idem.renamed-scopes",
                    "what was done under the former name of a scope is not looked up any more and would run again",
                    "Set scope of the listener, method or route to the old name. Or stop publishing, let the queues drain and the"
                            + " retention pass, and then use the new name. Remove the setting in either case."));

    private RetiredSettings() {}

    /**
     * Refuses the first such setting, or one below its name, whatever the value.
     *
     * @throws ConfigurationException names the setting and what takes its place
     */
    static void refuse(Environment environment) {
        ALL.stream().filter(each -> isSet(environment, each.name())).findFirst().ifPresent(each -> {
            throw new ConfigurationException(
                    "Setting " + each.name() + " was removed: " + each.consequence(), each.instead());
        });
    }

    /** Returns whether a setting has a value, or one below its name. */
    static boolean isSet(Environment environment, String setting) {
        ConfigurationPropertyName name = ConfigurationPropertyName.of(setting);
        return StreamSupport.stream(
                        ConfigurationPropertySources.get(environment).spliterator(), false)
                .anyMatch(source -> source.getConfigurationProperty(name) != null
                        || source.containsDescendantOf(name) == ConfigurationPropertyState.PRESENT);
    }

    private record Retired(String name, String consequence, String instead) {}
}
