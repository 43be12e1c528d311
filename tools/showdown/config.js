// The configuration of the real server that the tests of `banyan showdown` play on: loopback only,
// nothing leaves the machine, anybody may take any free name.
'use strict';

exports.port = 8123; // a port on the command line replaces this one
exports.bindaddress = '127.0.0.1';
exports.subprocesses = {network: 1, simulator: 1, validator: 1};
exports.loginserver = 'http://127.0.0.1:9/'; // no server listens there
exports.repl = false;
exports.backdoor = false;
exports.reportbattles = false;
exports.crashguardemail = null;
exports.noguestsecurity = true; // an empty assertion is accepted
exports.noipchecks = true;
// SHOWDOWN_THROTTLE=1: one line in 600 ms, as on the public server.
exports.nothrottle = !process.env.SHOWDOWN_THROTTLE;
