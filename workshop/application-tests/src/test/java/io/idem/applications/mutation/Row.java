package io.idem.applications.mutation;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One mutation of one application. */
record Row(Transport transport, Mutation mutation) {

    private static final int BY_HASH = 5;

    /**
     * Returns the rows of this run: all; those whose name has a match of {@code mutation.only}; or five by the hash of
     * {@code mutation.commit}.
     */
    static List<Row> selected(Collection<Mutation> mutations) {
        Pattern only = Pattern.compile(System.getProperty("mutation.only", ""));
        String commit = System.getProperty("mutation.commit", "");
        Stream<Row> rows = mutations.stream()
                .flatMap(mutation -> Transport.of(mutation).stream().map(transport -> new Row(transport, mutation)))
                .filter(row -> only.matcher(row.toString()).find());
        return commit.isEmpty()
                ? rows.toList()
                : rows.sorted(Comparator.comparing(row -> row.hash(commit)))
                        .limit(BY_HASH)
                        .toList();
    }

    private String hash(String commit) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-1").digest((commit + " " + this).getBytes(StandardCharsets.UTF_8));
            return new BigInteger(1, hash).toString(Character.MAX_RADIX);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String toString() {
        return transport + " " + mutation;
    }
}
