// SPDX-License-Identifier: GPL-3.0-only
// A plug-in for qemu that counts instructions into a shared file (count=PATH), 8 bytes, from where
// the test reads them at any time.
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Of qemu-plugin.h, which Debian does not package.
typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
enum { QEMU_PLUGIN_VERSION = 1, QEMU_PLUGIN_INLINE_ADD_U64 = 0 };
typedef void (*translated)(qemu_plugin_id_t id, struct qemu_plugin_tb *block);
extern void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, translated callback);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
extern void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *block, int operation, void *where, uint64_t by);

__attribute__((visibility("default"))) int qemu_plugin_version = QEMU_PLUGIN_VERSION;

static uint64_t *count;

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_inline(block, QEMU_PLUGIN_INLINE_ADD_U64, count, qemu_plugin_tb_n_insns(block));
}

__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv) {
    (void)info;
    if (argc != 1 || strncmp(argv[0], "count=", 6) != 0)
        return -1;
    int fd = open(argv[0] + 6, O_CREAT | O_RDWR, 0644);
    if (fd < 0 || ftruncate(fd, sizeof *count) != 0)
        return -1;
    count = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (count == MAP_FAILED)
        return -1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    return 0;
}
