package io.idem.http.setup;

import io.idem.http.HttpProblem;
import io.idem.http.IncomingRequest;
import io.idem.http.Refusal;
import io.idem.http.RequestCheck;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;

/** The check of a sender that has no preset; what it signs with would be no check sum. */
final class ParcelSignature implements RequestCheck {

    @Override
    public Optional<Refusal> check(IncomingRequest request, byte[] body) {
        return request.header("X-Parcel-Sum").equals(List.of(sumOf(body)))
                ? Optional.empty()
                : Optional.of(Refusal.of(HttpProblem.SIGNATURE_INVALID, "X-Parcel-Sum is not that of the body."));
    }

    static String sumOf(byte[] body) {
        CRC32 sum = new CRC32();
        sum.update(body);
        return Long.toHexString(sum.getValue());
    }
}
