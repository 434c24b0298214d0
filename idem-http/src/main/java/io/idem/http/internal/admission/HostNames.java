package io.idem.http.internal.admission;

import io.idem.http.Header;
import io.idem.http.StoredResponse;
import io.idem.internal.value.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The names of the hosts that clients ask. A stored answer keeps a digest of the name in a header that is never sent: every version leaves
 * headers of its name out of replays. Addresses are not kept, because load balancers and health checks use many. For adapters.
 */
public final class HostNames {

    private static final Pattern PORT = Pattern.compile(":\\d*$");
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]*|.*:.*");
    private static final String DIGEST = "host=";
    private static final int DIGEST_BYTES = 8;

    private HostNames() {}

    /** Returns a host in lower case, without its port and without the dot that may end it. */
    public static String normal(String host) {
        String name = PORT.matcher(host).replaceFirst("").toLowerCase(Locale.ROOT);
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }

    /** Returns an answer with the digest of the host that its request asked, if that is a name. */
    public static StoredResponse kept(StoredResponse answer, String host) {
        if (ADDRESS.matcher(host).matches()) {
            return answer;
        }
        List<Header> headers = new ArrayList<>(answer.headers());
        headers.add(new Header(Answers.BODY_OMITTED, digest(host)));
        return answer.with(headers);
    }

    /** Returns whether an answer was given under another name than the host of the request that gets it now. */
    static boolean differ(StoredResponse answer, String host) {
        Optional<String> kept = answer.headers().stream()
                .filter(header -> header.name().equals(Answers.BODY_OMITTED))
                .map(Header::value)
                .filter(value -> value.startsWith(DIGEST))
                .findFirst();
        return kept.isPresent()
                && !ADDRESS.matcher(host).matches()
                && !kept.get().equals(digest(host));
    }

    private static String digest(String host) {
        byte[] whole = Sha256.digest().digest(host.getBytes(StandardCharsets.UTF_8));
        return DIGEST + HexFormat.of().formatHex(whole, 0, DIGEST_BYTES);
    }
}
