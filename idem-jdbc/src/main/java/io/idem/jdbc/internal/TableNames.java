package io.idem.jdbc.internal;

import io.idem.jdbc.SchemaDataSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ScriptUtils;

/** Puts the schema before the names of tables in statements and scripts. Thread-safe. */
public final class TableNames {

    /** The names without a schema, for the search path of the connection. */
    static final TableNames PLAIN = new TableNames("");

    private static final Pattern NAMES =
            Pattern.compile("\\bidem_(?:record|scope|inbox|inbox_failure|inbox_attempt)\\b");

    private final String prefix;
    private final Map<String, String> statements = new ConcurrentHashMap<>();

    private TableNames(String prefix) {
        this.prefix = prefix;
    }

    static TableNames of(DataSource dataSource) {
        return dataSource instanceof SchemaDataSource schema ? new TableNames(schema.schema() + ".") : PLAIN;
    }

    /** Returns names for PostgreSQL: the schema may be a word of its language, and is read in lower case. */
    public static TableNames quoted(DataSource dataSource) {
        return dataSource instanceof SchemaDataSource schema
                ? new TableNames('"' + schema.schema().toLowerCase(Locale.ROOT) + "\".")
                : PLAIN;
    }

    /**
     * Returns a statement with the schema. The result is cached, so do not pass statements that are built for one call.
     */
    public String in(String sql) {
        return prefix.isEmpty() ? sql : statements.computeIfAbsent(sql, this::prefixed);
    }

    private String prefixed(String sql) {
        return NAMES.matcher(sql).replaceAll(prefix + "$0");
    }

    /** Runs a script of this jar. */
    public void run(Connection connection, String script) {
        ClassPathResource file = new ClassPathResource(script, TableNames.class.getClassLoader());
        try {
            String sql = file.getContentAsString(StandardCharsets.UTF_8);
            ScriptUtils.executeSqlScript(
                    connection, new ByteArrayResource(prefixed(sql).getBytes(StandardCharsets.UTF_8), script));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
