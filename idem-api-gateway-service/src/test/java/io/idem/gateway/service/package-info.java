@NullMarked
package io.idem.gateway.service;

import org.jspecify.annotations.NullMarked;
