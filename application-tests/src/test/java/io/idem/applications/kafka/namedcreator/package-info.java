/** Proxies by bean name. */
@NullMarked
package io.idem.applications.kafka.namedcreator;

import org.jspecify.annotations.NullMarked;
