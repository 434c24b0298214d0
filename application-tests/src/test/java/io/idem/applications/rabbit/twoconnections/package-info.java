/** Two connections, and a listener on the second one. */
@NullMarked
package io.idem.applications.rabbit.twoconnections;

import org.jspecify.annotations.NullMarked;
