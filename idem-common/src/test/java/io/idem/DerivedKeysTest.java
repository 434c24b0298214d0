package io.idem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DerivedKeysTest {

    private static final Scope PAYMENTS = new Scope("payments");

    /** A rerun after an upgrade must publish under the keys that the first run used. */
    @Test
    void areTheBeginningOfSha256OverPartsWithTheirLengths() {
        assertThat(DerivedKeys.derive("order-1", PAYMENTS, "receipts", "0")).isEqualTo("bhhkN0riXOBO7OwgPRA_KA");
    }

    @Test
    void everyPartAndItsBoundariesCount() {
        assertThat(Stream.of(
                        DerivedKeys.derive("order-1", PAYMENTS, "receipts", "0"),
                        DerivedKeys.derive("order-2", PAYMENTS, "receipts", "0"),
                        DerivedKeys.derive("order-1", new Scope("payouts"), "receipts", "0"),
                        DerivedKeys.derive("order-1", PAYMENTS, "receipt", "s0"),
                        DerivedKeys.derive("order-1", PAYMENTS, "receipts0", ""),
                        DerivedKeys.derive("order-1", PAYMENTS, "receipts", "1")))
                .doesNotHaveDuplicates();
    }

    /** Encoded, halves of pairs would be the same question mark, and different messages would have one key. */
    @Test
    void aDestinationOrNameWithHalfASurrogatePairIsRefused() {
        assertThatThrownBy(() -> DerivedKeys.derive("order-1", PAYMENTS, "receipts\ud800", "0"))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessage("The destination of a message or call has half a surrogate pair; send well-formed Unicode");
        assertThatThrownBy(() -> DerivedKeys.derive("order-1", PAYMENTS, "receipts", "\udc00\ud800"))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessage("The name of a message or call has half a surrogate pair; send well-formed Unicode");
        assertThat(DerivedKeys.derive("order-1", PAYMENTS, "receipts", "\ud83d\ude00"))
                .isNotEqualTo(DerivedKeys.derive("order-1", PAYMENTS, "receipts", "??"));
    }
}
