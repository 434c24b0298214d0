/** Proxies by bean name. */
@NullMarked
package io.idem.applications.rabbit.namedcreator;

import org.jspecify.annotations.NullMarked;
