package io.idem.autoconfigure;

import io.idem.ConfigurationException;
import io.idem.ResultCodec;
import io.idem.internal.RawResultCodec;
import io.idem.internal.result.LayeredResults;
import io.idem.internal.result.Offload;
import io.idem.internal.result.ResultCodecs;
import io.idem.internal.spring.InvalidSettingException;
import io.idem.json.JacksonResultCodec;
import io.idem.result.ResultKeyProvider;
import io.idem.result.ResultLimits;
import io.idem.result.ResultStorage;
import io.idem.spi.ResultPipeline;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** Auto-configuration of results: codecs, limits, compression, encryption and offloading. */
@AutoConfiguration(before = IdemAutoConfiguration.class, after = IdemJsonAutoConfiguration.class)
@EnableConfigurationProperties(IdemResultProperties.class)
class IdemResultAutoConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(IdemResultAutoConfiguration.class);

    /** The built-in codecs, in the order of preference. */
    private static final List<String> BUILT_IN = List.of(JacksonResultCodec.CODEC, RawResultCodec.CODEC);

    @Bean
    @ConditionalOnMissingBean
    RawResultCodec idemRawResultCodec() {
        return new RawResultCodec();
    }

    /** The primary codec, which combines all others. */
    @Bean
    @Primary
    @ConditionalOnMissingBean
    ResultCodecs idemResultCodec(ObjectProvider<ResultCodec> codecs, IdemResultProperties properties) {
        List<ResultCodec> all = codecs.orderedStream().toList();
        List<String> names = all.stream().map(ResultCodec::name).toList();
        String writer = properties.codec() != null ? properties.codec() : preferred(names);
        if (!names.contains(writer)) {
            if (writer.equals(JacksonResultCodec.JACKSON_2)) {
                throw new ConfigurationException(
                        "Setting idem.result.codec: the codec \"jackson2\" was removed",
                        "Set idem.result.codec=json, which writes with Jackson 3 and also reads what \"jackson2\" stored; it needs"
                                + " tools.jackson.core:jackson-databind. Or define a ResultCodec bean named \"jackson2\".");
            }
            throw new InvalidSettingException(
                    "idem.result.codec", "there is no codec \"" + writer + "\"; known are " + names);
        }
        return new ResultCodecs(all, writer);
    }

    private static String preferred(List<String> names) {
        List<String> own =
                names.stream().filter(name -> !BUILT_IN.contains(name)).toList();
        if (own.size() > 1) {
            throw new InvalidSettingException(
                    "idem.result.codec", "is not set, and there is more than one codec of your own: " + own);
        }
        return Stream.concat(own.stream(), BUILT_IN.stream().filter(names::contains))
                .findFirst()
                .orElseThrow();
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty("idem.result.encryption.key")
    ResultKeyProvider idemResultKeys(IdemResultProperties properties) {
        return properties.encryption().toKeys();
    }

    @Bean
    @ConditionalOnMissingBean
    ResultLimits idemResultLimits(IdemResultProperties properties) {
        return properties.limits();
    }

    @Bean
    @ConditionalOnMissingBean
    ResultPipeline idemResultPipeline(
            IdemResultProperties properties,
            ResultLimits limits,
            ObjectProvider<ResultKeyProvider> keys,
            ObjectProvider<ResultStorage> storages) {
        ResultKeyProvider key = keys.getIfAvailable();
        ResultStorage storage = storages.getIfAvailable();
        IdemResultProperties.Offload offload = properties.offload();
        return new LayeredResults(
                limits,
                key,
                key != null && isEncryptedOnly(properties.encryption()),
                storage == null
                        ? null
                        : new Offload(storage, offload.above(limits), offload.grace(), InstantSource.system()));
    }

    private static boolean isEncryptedOnly(IdemResultProperties.Encryption settings) {
        if (settings.acceptPlain()) {
            LOG.warn(
                    "Results are encrypted, and plain ones are replayed too (idem.result.encryption.accept-plain=true): whoever can write to"
                            + " the store can forge an answer. Remove the setting one retention after encryption was switched on everywhere");
        } else {
            LOG.info("Results are encrypted, and only encrypted ones are replayed. To replay results stored before, set"
                    + " idem.result.encryption.accept-plain=true for one retention");
        }
        return !settings.acceptPlain();
    }
}
