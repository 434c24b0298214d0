package io.idem.autoconfigure;

import io.idem.internal.RefusedSettingException;
import java.util.List;
import org.springframework.boot.context.properties.bind.Binder;
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
                            + " away."));

    private RetiredSettings() {}

    /**
     * Refuses the first such setting, whatever its value.
     *
     * @throws RefusedSettingException names the setting and what takes its place
     */
    static void refuse(Environment environment) {
        Binder settings = Binder.get(environment);
        ALL.stream()
                .filter(each -> settings.bind(each.name(), String.class).isBound())
                .findFirst()
                .ifPresent(each -> {
                    throw new RefusedSettingException(
                            "Setting " + each.name() + " was removed: " + each.consequence(), each.instead());
                });
    }

    private record Retired(String name, String consequence, String instead) {}
}
